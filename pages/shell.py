"""The frame of every page: address, language, model, sentence, and the table of contents."""

import streamlit as st

from pages.shared import frame, view

st.set_page_config(page_title="Glassformer", page_icon=frame.ICON, layout="wide", initial_sidebar_state="expanded")
view.read_address()
frame.style()
page = st.navigation(frame.pages(), position="hidden")
frame.sidebar()
page.run()
frame.finish()
