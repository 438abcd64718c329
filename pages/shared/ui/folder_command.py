"""A command that stores something beside a checkpoint, where it can: it finds the models of the checkpoint folder."""

from __future__ import annotations

import streamlit as st

from model.checkpoint import catalogue
from pages.shared.ui import show


def say(entry: catalogue.Entry, about: str, command: str, otherwise: str) -> None:
    """Draw a command (after `python -m model`) under what it does, or for other models say `otherwise`."""
    if entry.name not in catalogue.entries():
        show.caption(otherwise)
        return
    show.caption(about)
    st.code(f".venv/bin/python -m model {command}", language="sh", wrap_lines=True)
