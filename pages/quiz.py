"""Quiz: one question at a time, many of them answered by the model in use itself."""

import streamlit as st

from pages.shared import page, quiz, quiz_question, quiz_score, quiz_teacher
from pages.shared.reading import read
from pages.shared.words import words

page.head("quiz", tour=quiz_teacher.tour())
reading = read()
above, score, below = st.container(key="quiz"), st.container(key="score"), st.container(key="teacher")
with below:
    chosen = quiz_teacher.choose()
with above:
    if reading.recorded:
        st.caption(words("quiz.waits"))
    else:
        known = quiz.all_offered(reading, chosen.numbers)
        asked = quiz.chosen(known, chosen.topics, chosen.single)
        if asked:
            quiz_question.question(reading, asked)
        else:
            st.text(words("quiz.none"))
        with below:
            quiz_teacher.count(asked)
with score:
    quiz_score.score()
