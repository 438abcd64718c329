"""What a system cannot show, said in a sentence."""

import streamlit as st

from model.catalogue import Untrained
from model.trace import ATTENTION_KINDS
from pages.shared import view
from pages.shared.reading import Reading
from pages.shared.words import words


def lead() -> str:
    """Which sentence heads the start page: what there is to point at differs between the architectures."""
    entry = view.entry()
    if isinstance(entry, Untrained) and entry.config["architecture"] != "encoder-decoder":
        return "lead_alone"
    return "lead"


def missing_kinds(reading: Reading) -> None:
    """Why some kinds of attention are not there, in an encoder or a decoder alone."""
    if len(reading.trace.kinds) < len(ATTENTION_KINDS):
        st.caption(words(f"explain.{reading.entry.config['architecture']}"))


def untrained(reading: Reading) -> None:
    """That the weights are random, where they are."""
    if isinstance(reading.entry, Untrained):
        st.caption(words("explain.untrained", seed=reading.entry.seed))
