"""The bare Streamlit page: an input, and one text element that repeats it."""

import streamlit as st

st.text(st.text_input("Sentence"))
