"""Notes beside the figures of the forecast."""

import streamlit as st

from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import show

_COMMAND = "python -m model train forecast"


def no_advice() -> None:
    """Note that this is a lesson and no advice."""
    with st.container(key="no_advice"):
        show.text(words("forecast.no_advice"))


def no_model() -> None:
    """Note that the checkpoint is not there, and the command that makes it."""
    notices.say("info", words("forecast.no_model"))
    st.code(_COMMAND, language=None)
