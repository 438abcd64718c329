"""What is said in place of a lens that nobody has fitted to the model in view."""

import streamlit as st

from model.checkpoint import catalogue
from model.measurements import lenses
from pages.shared.text.words import words
from pages.shared.ui import show


def say(entry: catalogue.Entry, lens: str) -> None:
    """Name the command that fits it; a model with random weights has none."""
    if isinstance(entry, catalogue.Untrained):
        show.text(words("layers_lens.untrained", lens=lens))
        return
    show.text(words("layers_lens.not_fitted", lens=lens))
    command(entry)


def command(entry: catalogue.Entry) -> None:
    """The command that fits the lenses and measures them: on the recipe's sentences, or on pairs in a file."""
    pairs = "" if entry.card.get("command") else " --pairs FILE.tsv"
    st.code(f".venv/bin/python -m model {lenses.MEASUREMENT.saving(entry.folder.name, pairs)}", language=None)
    if pairs:
        show.caption(words("layers_lens.pairs"))
