"""Quiz: one question at a time, many of them answered by the model in use itself."""

import streamlit as st

from pages.quiz import question, question_choice, score, teacher
from pages.shared.layout import page
from pages.shared.models.sentence import read
from pages.shared.text.words import words

page.head("quiz", tour=teacher.tour())
current_run = read()
above, between = st.container(key="quiz"), st.container(key="score")
with st.container(key="figure_teacher"):
    below = st.expander(words("quiz.teacher"))
with below:
    selection = teacher.choose()
with above:
    if current_run.recorded:
        st.caption(words("quiz.waits"))
    else:
        instances = question_choice.all_offered(current_run, selection.numbers)
        questions = question_choice.chosen(instances, selection.topics, selection.single)
        if questions:
            question.question(current_run, question_choice.of_topic(questions))
        else:
            st.text(words("quiz.none"))
        with below:
            teacher.count(questions)
with between:
    score.score()
