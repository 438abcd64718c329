"""What leads on from the first page: the course, questions, and the map of the model."""

import streamlit as st

from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address
from pages.shared.text.words import words
from pages.shared.ui import architecture_map, show
from pages.shared.ui.architecture_map import doors
from pages.start.questions import questions
from pages.start.similarity import similarity


def ways_on(current_run: CurrentRun, *, is_example: bool = False) -> None:
    """All that stands below the figure; with the numbers of an example where the sentence in view was refused."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="to_course"):
        show.text(words("start.about"))
        st.page_link(address.script_of("course"), label=words("start.course"), query_params=address.offer("course"))
    questions()
    if current_run.entry.config.architecture == "encoder" and not is_example:
        similarity(current_run)
    with page.card("map", words("start.map"), words("start.map_hint")):
        architecture_map.architecture(current_run, doors())
        architecture_map.differences(current_run)
    tour.try_this(
        {
            "start.try_first": Step("attention", {"layer": 0, "head": 0}),
            "start.try_random": Step("type", {"checkpoint": "untrained-notebook"}),
        }
    )
