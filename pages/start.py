"""Start: a sentence, what the model makes of it, its attention, and the map of the model."""

import streamlit as st

from pages.shared import choices, components, explain, page, sentence_notices, take
from pages.shared.architecture import architecture_data, doors
from pages.shared.page import Step, Stop
from pages.shared.panels import panels
from pages.shared.reading import read
from pages.shared.similarity import similarity
from pages.shared.words import words
from viz.links_svg import links_svg

page.head(
    "start",
    explain.lead(),
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
    explain.meaning(reading)
    if reading.text:
        with st.container(key="target"):
            st.text(reading.text)
    if reading.recorded:
        st.caption(words("start.recorded"))
    explain.untrained(reading)
    explain.missing_kinds(reading)

place = choices.place(reading, wanted=("cross",))
components.attention(panels(reading.trace), view_="links", kind=place.kind, layer=place.layer, head=place.head)
take.row(reading, place, links_svg)
if reading.entry.config["architecture"] == "encoder":
    similarity(reading)

with st.container(border=True, key="map"):
    st.header(words("start.map"), anchor=False)
    st.caption(words("start.map_hint"))
    components.architecture(architecture_data(reading), doors())
page.try_this(
    {
        "start.try_first": Step("attention", {"layer": 0, "head": 0}),
        "start.try_random": Step("translation", {"checkpoint": "untrained-notebook"}),
    }
)
