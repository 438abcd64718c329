"""The user's own lines: typed, pasted or from a file; before the first ones, those of an example."""

from __future__ import annotations

from typing import Any

import streamlit as st

from corpora import ordinary
from model.checkpoint import catalogue
from model.circuits import card_sentences
from model.errors import InvalidInput
from model.quality import lines
from pages.shared.models import models
from pages.shared.session import script_run, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

_TEXT, _FILE = "lines", "lines_file"  # what this page keeps for the session
REFERENCED = 100  # sentences of the example with references


def given(entry: catalogue.Entry) -> tuple[lines.Line, ...]:
    """Draw the box and the ways to fill it; the lines in it, or none where one is refused, which is said."""
    kept = view.kept(_TEXT)
    text = example(entry) if kept is None else kept

    def typed() -> None:
        new = widgets.sent(_TEXT, lines.BYTES + 1)
        view.keep(**{_TEXT: new if new.strip() else None})  # an empty box goes back to the example

    area: dict[str, Any] = widgets.tied(_TEXT, text, None) | {"on_change": typed}
    st.text_area(words("data_lines.box", most=lines.MOST), height=160, **area)
    _ways_to_fill(entry, is_example=kept is None)
    try:
        result = lines.read(text)
        lines.check(models.checkpoint(entry), result)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ()
    return result


def is_example() -> bool:
    """Whether the lines in view are those of the model's card."""
    return view.kept(_TEXT) is None


def example(entry: catalogue.Entry) -> str:
    """The sentences of the model's card."""
    return "\n".join(card_sentences.readable(entry, models.checkpoint(entry)))


def with_references(entry: catalogue.Entry) -> str:
    """Ordinary sentences of the model's language, each with a reference; none for a model that translates otherwise."""
    card = entry.card
    if card.get("target_language") != "en" or entry.config.architecture != "encoder-decoder":
        return ""
    rows = [row for row in ordinary.read(str(card.get("source_language", ""))) if row.set == "test"][:REFERENCED]
    return "\n".join(f"{row.source}\t{next(ordinary.expanded(row.references[0]))}" for row in rows)


def _ways_to_fill(entry: catalogue.Entry, *, is_example: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="lines_more"):
        if text := with_references(entry):
            label = words("data_lines.with_references")
            st.button(label, key="lines_references", on_click=view.keep, kwargs={_TEXT: text})
        if not is_example:
            st.button(words("data_lines.back"), key="lines_back", on_click=view.keep, kwargs={_TEXT: None})
        with st.popover(words("data_lines.file")):
            file = st.file_uploader(
                words("data_lines.file_hint"), type=["txt", "tsv"], key="lines_upload", max_upload_size=1
            )
    if file is not None and view.kept(_FILE) != file.file_id:
        try:
            text = lines.decode(file.getvalue())
        except InvalidInput as error:
            notices.say("warning", refusal(error))
            return
        view.keep(**{_TEXT: text, _FILE: file.file_id})
        script_run.rerun()
