"""Quiz: one question at a time, many of them answered by the model in use itself; and predictions."""

import streamlit as st

from pages.quiz import prediction, question, question_choice, score, teacher
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text.words import words
from pages.shared.ui import controls


def questions(current_run: CurrentRun) -> None:
    """A question, the score, and the choices of a teacher."""
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
            chosen = question_choice.chosen(instances, selection.topics, selection.single)
            if chosen:
                question.question(current_run, question_choice.of_topic(chosen))
            else:
                st.text(words("quiz.none"))
            with below:
                teacher.count(chosen)
    with between:
        score.score()


page.head("quiz", tour=teacher.tour())
run_in_view = read()
views = {name: words(f"quiz.view_{name}") for name in ("questions", "predict")}
if controls.choice("show", words("quiz.show"), views, "questions", hidden=True) == "questions":
    questions(run_in_view)
elif run_in_view.recorded:
    st.caption(words("quiz.waits"))
else:
    prediction.prediction(run_in_view)
