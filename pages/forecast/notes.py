"""What the page of the forecast says beside its figures."""

import streamlit as st

from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import show

_COMMAND = "python -m model train forecast"


def no_advice() -> None:
    """That this is a lesson and no advice."""
    with st.container(key="no_advice"):
        show.text(words("forecast.no_advice"))


def no_model() -> None:
    """That the checkpoint is not there, and what makes it."""
    notices.say("info", words("forecast.no_model"))
    st.code(_COMMAND, language="bash")
