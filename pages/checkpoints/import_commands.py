"""How to bring a pre-trained model: three steps with commands to copy."""

import streamlit as st

from pages.shared.session.view import language
from pages.shared.text.words import words

_INSTALL = ".venv/bin/python -m pip install -r requirements-hub.txt"
_IMPORT = """.venv/bin/python -m model import {model}
.venv/bin/python -m model import path/to/folder --name my-model --half"""
_RUN = "make run"
# a model of others and a sentence that it reads, by the user's language
_EXAMPLES = {
    "zh": ("Helsinki-NLP/opus-mt-zh-en", "那本书在哪儿？"),
    "es": ("Helsinki-NLP/opus-mt-es-en", "¿Dónde está el libro?"),
}
OTHERWISE = ("Helsinki-NLP/opus-mt-de-en", "Wo ist das Buch?")


def example() -> tuple[str, str]:
    """The name of a model of others that reads the user's language, and a sentence."""
    return _EXAMPLES.get(language(), OTHERWISE)


def bring() -> None:
    """Draw how a model is imported: which ones, by which commands, and the memory that it needs."""
    with st.container(key="bring"), st.expander(words("bring.title")):
        st.text(words("bring.about"))
        commands = {"one": _INSTALL, "two": _IMPORT.format(model=example()[0]), "three": _RUN}
        for step, command in commands.items():
            st.text(words(f"bring.{step}"))
            st.code(command, language=None)
        st.caption(words("bring.memory"))
