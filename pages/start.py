"""Start: a sentence, its translation, the attention between the two, and the map of the model."""

import streamlit as st

from pages.shared import choices, components, page, take
from pages.shared.architecture import architecture_data, doors
from pages.shared.panels import panels
from pages.shared.reading import read
from pages.shared.words import words

page.head("start")
reading = read()
with st.container(border=True, key="translation"):
    with st.container(key="source"):
        components.marked(reading.sentence, reading.unseen_words)
    with st.container(key="target"):
        st.text(reading.text)
    if reading.recorded:
        st.caption(words("start.recorded"))

place = choices.place(reading, kinds=("cross",))
components.attention(panels(reading.trace), view_="links", kind=place.kind, layer=place.layer, head=place.head)
take.row(reading, place)

with st.container(border=True, key="map"):
    st.header(words("start.map"), anchor=False)
    st.caption(words("start.map_hint"))
    components.architecture(architecture_data(reading), doors())
