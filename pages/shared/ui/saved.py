"""Texts, formulas and tables that stand on the page and in the files that are saved of it."""

import re

import streamlit as st

from pages.shared.text.formulas import formulas
from pages.shared.text.formulas import latex as spelled
from pages.shared.text.words import words
from pages.shared.ui import record
from viz.standalone.document import Formula, Table, Text

_MARKUP = re.compile(r"\\([!-/:-@\[-`{-~])|(\*\*|`|\$)")


def caption(text: str) -> None:
    """A small text, with Markdown."""
    st.caption(text)
    record.add(lambda: [Text(plain(text), "caption")])


def text(content: str) -> None:
    """A text as it is."""
    st.text(content)
    record.add(lambda: [Text(content)])


def output(content: str) -> None:
    """What a model writes, or that it writes nothing."""
    text(content if content.strip() else words("frame.nothing"))


def header(title: str) -> None:
    """The heading of a part of the page."""
    st.header(title, anchor=False)
    record.heading(plain(title))


def subheader(title: str) -> None:
    """A heading within it."""
    st.subheader(title, anchor=False)
    record.add(lambda: [Text(plain(title), "caption")])


def table(html: str) -> None:
    """A table of `viz.html`, whose values are escaped."""
    st.html(html)
    record.add(lambda: [Table(html)])


def latex(formula: str) -> None:
    """A formula."""
    st.latex(formula)
    record.add(lambda: [Formula(formula)])


def formula(name: str, **values: object) -> None:
    """A formula of `formulas.toml`, its placeholders filled, and under it what its symbols mean."""
    filled = spelled(name, **values)
    symbols = tuple((symbol, words(key)) for symbol, key in formulas()[name].symbols.items())
    st.latex(filled)
    st.caption(" · ".join(f"${symbol}$ {text}" for symbol, text in symbols))
    record.add(lambda: [Formula(filled, tuple((symbol, plain(text)) for symbol, text in symbols))])


def plain(markdown: str) -> str:
    """Our Markdown without its marks: what was escaped in it stands as it was typed."""
    return _MARKUP.sub(lambda found: found[1] or "", markdown)
