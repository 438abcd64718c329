"""The notice to a user who has used up this minute's share of the server, with a button to go on."""

import streamlit as st

from model.errors import InvalidInput
from pages.shared.load import fair_use
from pages.shared.models.sentence import Ended
from pages.shared.text import notices
from pages.shared.text.words import refusal, words


def check() -> None:
    """Count this run of the whole page; end the page where there have been too many."""
    try:
        fair_use.take(fair_use.RUNS)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        st.button(words("progress.go_on"), key="fair_go_on")
        raise Ended from None
