"""The texts of the figures, by language."""

from __future__ import annotations

from functools import cache

from ..languages import FIRST, languages, texts_of


def attention_words(
    language: str,
    *,
    written: bool,
    whole: bool = False,
    norms: bool = False,
    merged: bool = False,
    rest: bool = False,
    gaps: bool = False,
) -> dict[str, str]:
    """The words of an attention figure, `whole` of one between whole words, `norms` of one with shares of norms.

    written   rows of cross-attention are the tokens written, not those read
    merged    the decoder's is one softmax over its own tokens and the source
    rest      the last column is what a row lacks to 1
    gaps      some layers have no attention
    """
    tables = _tables(language)
    words = tables["attention_figure"] | tables["attention_blocks"] | (tables["whole_words_figure"] if whole else {})
    words |= tables["norms_figure"] if norms else {}
    words |= {f"about_{kind}": tables["notebook"]["about"] for kind in ("encoder", "decoder", "cross")}
    if not written:
        words |= {f"{text}_cross": words[f"{text}_decoder"] for text in ("caption", "queries")}
    words |= (tables["merged_figure"] if merged else {}) | (tables["gaps_figure"] if gaps else {})
    if rest:
        space = " " if languages()[language].spaces else ""
        words |= {name: f"{text}{space}{tables['notebook']['rest']}" for name, text in words.items() if "about" in name}
    return words


def rest_label(language: str) -> str:
    """What the column of the rest is called."""
    return _tables(language)["notebook"]["rest_label"]


def matrix_words(language: str) -> dict[str, str]:
    """The words of a matrix figure."""
    return dict(_tables(language)["matrix_figure"])


def term_words(language: str) -> dict[str, str]:
    """The words of the terms of a score."""
    return dict(_tables(language)["score_terms"])


def tag(language: str) -> str:
    """The language tag of HTML."""
    return languages()[language].tag


@cache
def _tables(language: str) -> dict[str, dict[str, str]]:
    """All tables of English, with the texts of the language where it has one."""
    if language not in languages():
        raise ValueError(f"language is one of {', '.join(languages())}, not {language!r}.")
    tables: dict[str, dict[str, str]] = {}
    for name, text in (texts_of(FIRST) | texts_of(language)).items():
        table, key = name.split(".", 1)
        tables.setdefault(table, {})[key] = text
    return tables
