"""Start: a sentence, its translation, the attention between the two, and the map of the model."""

import streamlit as st

from pages.shared import choices, components, take
from pages.shared.architecture import DOORS, architecture_data
from pages.shared.notices import plain
from pages.shared.panels import panels
from pages.shared.reading import read
from pages.shared.words import words

st.title(words("start.question"))
reading = read()
st.text(words("start.lead"))

with st.container(border=True, key="translation"):
    st.text(reading.sentence)
    st.subheader(plain(reading.text), anchor=False)
    if reading.recorded:
        st.caption(words("start.recorded"))

with st.container(border=True, key="figure"):
    place = choices.place(reading, kinds=("cross",))
    components.attention(panels(reading.trace), view_="links", kind=place.kind, layer=place.layer, head=place.head)
    take.row(reading, place)

with st.container(border=True, key="map"):
    st.subheader(words("start.map"), anchor=False)
    st.caption(words("start.map_hint"))
    components.architecture(architecture_data(reading), DOORS)
