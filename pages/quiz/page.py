"""Quiz: one question at a time, many of them answered by the model in use itself."""

import streamlit as st

from pages.quiz import question, session, teacher
from pages.quiz import score as quiz_score
from pages.shared.layout import page
from pages.shared.models.sentence import read
from pages.shared.text.words import words

page.head("quiz", tour=teacher.tour())
reading = read()
above, score, below = st.container(key="quiz"), st.container(key="score"), st.container(key="teacher")
with below:
    chosen = teacher.choose()
with above:
    if reading.recorded:
        st.caption(words("quiz.waits"))
    else:
        known = session.all_offered(reading, chosen.numbers)
        asked = session.chosen(known, chosen.topics, chosen.single)
        if asked:
            question.question(reading, asked)
        else:
            st.text(words("quiz.none"))
        with below:
            teacher.count(asked)
with score:
    quiz_score.score()
