"""How to bring a pre-trained model: three steps with commands to copy."""

import streamlit as st

from pages.shared.text.words import words

_INSTALL = ".venv/bin/python -m pip install -r requirements-hub.txt"
_IMPORT = """.venv/bin/python -m model import Helsinki-NLP/opus-mt-de-en
.venv/bin/python -m model import path/to/folder --name my-model --half"""
_RUN = "make run"


def bring() -> None:
    """Draw how a model is imported: which ones, by which commands, and the memory that it needs."""
    with st.container(key="bring"), st.expander(words("bring.title")):
        st.text(words("bring.about"))
        for step, command in (("one", _INSTALL), ("two", _IMPORT), ("three", _RUN)):
            st.text(words(f"bring.{step}"))
            st.code(command, language=None)
        st.caption(words("bring.memory"))
