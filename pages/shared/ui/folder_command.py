"""A command that stores or prints numbers of a model: it finds the models of the checkpoint folder."""

from __future__ import annotations

import shlex

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.standalone.document import Text


def say(entry: catalogue.Entry, about: str, command: str, otherwise: str) -> None:
    """Draw a command (after `python -m model`) under what it does, or for other models say `otherwise`."""
    if entry.name not in catalogue.entries():
        show.caption(otherwise)
        return
    _draw(about, command)


def repeat(entry: catalogue.Entry, command: str, rest: str = "") -> None:
    """Name the command that prints the numbers in view again; `rest` follows the name of the model."""
    if name := _named(entry):
        _draw(words("frame.again"), f"{command} {name}{rest}")
    else:
        show.caption(words("frame.again_own"))


def _named(entry: catalogue.Entry) -> str:
    """The model as a command takes it; nothing for one that is a user's own."""
    if isinstance(entry, catalogue.Untrained):
        is_first = entry.folder == catalogue.default(catalogue.entries()).folder
        reads = "" if is_first else f" --reads {shlex.quote(entry.folder.name)}"
        return f"{entry.preset} --untrained --seed {entry.seed}{reads}"
    try:
        return shlex.quote(entry.name) if catalogue.find(entry.name) == entry else ""
    except InvalidInput:
        return ""


def _draw(about: str, command: str) -> None:
    line = f".venv/bin/python -m model {command}"
    show.caption(about)
    st.code(line, language=None, wrap_lines=True)
    show.keep(lambda: [Text(line)])
