"""Start: a sentence, what the model makes of it, its attention, and the map of the model."""

import streamlit as st

from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import notes, sentence_notices
from pages.shared.models.sentence import read
from pages.shared.text.words import words
from pages.shared.ui import architecture_map, attention_figure, components, export, head_picker
from pages.shared.ui.architecture_map import architecture_data, doors
from pages.shared.ui.panels import panels
from pages.start.similarity import similarity
from viz.svg.attention_links import links_svg

page.head(
    "start",
    notes.lead(),
    about="start.about",
    tour=(
        Stop("start.tour_sentence", "translation"),
        Stop("start.tour_links", "attention"),
        Stop("start.tour_heads", "attention", {"layer": 0, "head": 0}),
        Stop("start.tour_map", "map"),
    ),
)
sentence_notices.offer("start.examples")
reading = read()
with st.container(border=True, key="translation"):
    with st.container(key="source"):
        components.marked(reading.sentence, reading.unseen_words)
    notes.meaning(reading)
    if reading.text:
        with st.container(key="target"):
            st.text(reading.text)
    if reading.recorded:
        st.caption(words("start.recorded"))
    notes.untrained(reading)
    notes.missing_kinds(reading)

place = head_picker.place(reading, wanted=("cross",))
attention_figure.attention(panels(reading.trace), view_="links", kind=place.kind, layer=place.layer, head=place.head)
export.row(reading, place, links_svg)
if reading.entry.config["architecture"] == "encoder":
    similarity(reading)

with st.container(border=True, key="map"):
    st.header(words("start.map"), anchor=False)
    st.caption(words("start.map_hint"))
    architecture_map.architecture(architecture_data(reading), doors())
tour.try_this(
    {
        "start.try_first": Step("attention", {"layer": 0, "head": 0}),
        "start.try_random": Step("translation", {"checkpoint": "untrained-notebook"}),
    }
)
