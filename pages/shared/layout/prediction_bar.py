"""A teacher's way to ask the class for a prediction from the view that they are on: the button above each page."""

from __future__ import annotations

import random

import streamlit as st

from model.checkpoint.recording import Recording
from model.errors import InvalidInput
from model.predict.prediction import KINDS
from pages.shared.classroom import my_class, predictions
from pages.shared.models import current, drawn_predictions
from pages.shared.models.sentence import sentence_of
from pages.shared.session import page_list, view
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

DRAWS = 100_000  # numbers of draws


def prediction_bar(page: str) -> None:
    """Draw it for the teacher of a class that goes on, on pages that show a sentence in a model."""
    me = my_class.membership()
    if me is None or not me.teacher or me.ended or page_list.pages()[page].needs != "sentence":
        return
    with st.container(horizontal=True, key="prediction_bar", vertical_alignment="center", gap="small"):
        # another key after each question: a new popover is closed
        with st.popover(words("predict.ask"), key=f"prediction_kinds_{view.kept('prediction_count') or 0}"):
            st.caption(words("predict.ask_about"))
            for name in KINDS:
                label = words(f"predict_kinds.{name}")
                st.button(label, key=f"predict_{name}", width="stretch", on_click=_ask, args=(name,))
        if says := view.kept("prediction_says"):
            st.caption(notices.plain(says))
            view.keep(prediction_says=None)


def _ask(name: str) -> None:
    view.keep(prediction_count=str(int(view.kept("prediction_count") or 0) + 1))
    try:
        content = _drawn(name)
        if content is not None:
            predictions.ask_class(content)
    except InvalidInput as error:
        view.keep(prediction_says=refusal(error))
        return
    said = words("predict.unfair") if content is None else words("predict.asked", question=predictions.asks(content))
    view.keep(prediction_says=said)


def _drawn(name: str) -> drawn_predictions.Json | None:
    entry = current.entry()
    if entry is None or isinstance(entry, Recording):
        return None
    numbers = random.randrange(1, DRAWS)
    return drawn_predictions.drawn(entry, sentence_of(entry), name, numbers, drawn_predictions.place_in_view())
