"""Checkpoints: the sample models, each with its card."""

import streamlit as st

from model import catalogue
from pages.shared import cards
from pages.shared.words import words

st.title(words("checkpoints.question"))
st.text(words("checkpoints.lead"))
for entry in catalogue.entries().values():
    cards.show(entry)
if not catalogue.entries():
    st.info(words("notice.no_checkpoints"))
