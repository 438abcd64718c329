"""The head of a page: its question, one sentence under it, and what the link asked for in vain."""

import streamlit as st

from pages.shared import notices
from pages.shared.words import words


def head(name: str, lead: str = "lead") -> None:
    """The question and the lead of the page `name`."""
    st.title(words(f"{name}.question"), anchor=False)
    with st.container(key="lead"):
        st.text(words(f"{name}.{lead}"))
    notices.show()
