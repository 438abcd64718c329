"""Checkpoints: the sample models, each with its card."""

import streamlit as st

from model import catalogue
from pages.shared import cards, page
from pages.shared.words import words

page.head("checkpoints")
for entry in catalogue.entries().values():
    cards.show(entry)
if not catalogue.entries():
    st.info(words("notice.no_checkpoints"))
