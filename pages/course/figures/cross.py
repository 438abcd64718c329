"""Step 8, encoder and decoder together: the map with the shapes of this pass, and the output without the way across."""

import streamlit as st

from model.course import cross
from model.course.question import Question
from pages.course import outputs
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import architecture_map, controls, show


def figure(current_run: CurrentRun) -> Question:
    architecture_map.architecture(current_run, architecture_map.doors())
    off = controls.toggle("without", words("course_cross.without"))
    output = outputs.under(current_run.entry, current_run.sentence, cross.WITHOUT if off else "")
    with st.container(key="course_output"):
        show.caption(words("course_position.writes", sentence=plain(current_run.sentence)))
        show.output(output.text)
        if off:
            show.caption(words("course_cross.cut"))
    return cross.question(current_run.trace)
