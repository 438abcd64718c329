"""The frame of every page: address, language, model, sentence, and the table of contents."""

from contextlib import suppress

import streamlit as st

from pages.shared import frame, view
from pages.shared.reading import Ended

st.set_page_config(page_icon=frame.ICON, layout="wide", initial_sidebar_state="expanded")
view.read_address()
page = st.navigation(frame.pages(), position="hidden")
view.read_settings(frame.name_of(page))
st.set_page_config(page_title=f"{page.title} · Glassformer")
frame.sidebar()
with suppress(Ended):
    page.run()
frame.finish()
