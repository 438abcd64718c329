"""What decoding a sentence starts from, and why an output stopped without `<eos>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from model.checkpoint import catalogue
from pages.shared.models import cache as models
from pages.shared.text.words import words

if TYPE_CHECKING:
    from model.decode.loop import Stop
    from model.decode.start import DecodingStart


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def begin(entry: catalogue.Entry, sentence: str) -> DecodingStart:
    """Where the decoding of a sentence starts."""
    from model.decode.start import decoding_start

    return decoding_start(models.checkpoint(entry), sentence)


def stopped(entry: catalogue.Entry, sentence: str, stop: Stop, changed: bool = False) -> str:
    """Why an output has no end of its own, empty where it has; `changed` says that the model was tampered with."""
    if stop == "eos":
        return ""
    limit = begin(entry, sentence).limit
    if stop == "repetition" and isinstance(entry, catalogue.Untrained):
        return words("decoding_stopped.random")
    if stop == "repetition" and changed:
        return words("decoding_stopped.changed")
    return words(f"decoding_stopped.{stop}", limit=limit)
