"""The texts of the figures, by language."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "words"
TAGS = {"zh": "zh-CN"}  # language tags of HTML where they differ

# The app knows the masks of its own models; of somebody else's, only this is certain.
ABOUT = {"en": "Rows are queries, columns are keys.", "zh": "行是查询，列是键。"}


def attention_words(language: str, *, written: bool, whole: bool = False, norms: bool = False) -> dict[str, str]:
    """The words of an attention figure, `whole` of one between whole words, `norms` of one with shares of norms.

    `written`: rows of cross-attention are the tokens written, not those read.
    """
    tables = _tables(language)
    words = tables["attention_figure"] | tables["attention_blocks"] | (tables["whole_words_figure"] if whole else {})
    words |= tables["norms_figure"] if norms else {}
    words |= {f"about_{kind}": ABOUT[language] for kind in ("encoder", "decoder", "cross")}
    if not written:
        words |= {f"{text}_cross": words[f"{text}_decoder"] for text in ("caption", "queries")}
    return words


def matrix_words(language: str) -> dict[str, str]:
    """The words of a matrix figure."""
    return dict(_tables(language)["matrix_figure"])


def tag(language: str) -> str:
    """The language tag of HTML."""
    return TAGS.get(language, language)


@cache
def _tables(language: str) -> dict[str, dict[str, str]]:
    if language not in ABOUT:
        raise ValueError(f"language is one of {', '.join(ABOUT)}, not {language!r}.")
    return tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
