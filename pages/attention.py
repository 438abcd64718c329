"""Attention: every head at a glance, and the chosen one large."""

import streamlit as st

from model.trace import ATTENTION_KINDS
from pages.shared import choices, components, take
from pages.shared.panels import panels
from pages.shared.reading import read
from pages.shared.words import words

st.title(words("attention.question"))
reading = read()
st.text(words("attention.lead"))
place = choices.place(reading, kinds=ATTENTION_KINDS)
components.attention(panels(reading.trace), view_="matrix", kind=place.kind, layer=place.layer, head=place.head)
take.row(reading, place)
