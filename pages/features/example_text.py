"""Sentences in which a feature is active, as text: each token darker the stronger the feature is at it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from model.features import examples
from model.tokenization.token_text import is_special, joined
from viz.html.features import Shaded
from viz.whole_words import EMPTY


def shaded(
    given: examples.Activations, strengths: np.ndarray, example: examples.Example, around: int | None = None
) -> tuple[str, list[Shaded]]:
    """The strength at the marked token, and the sentence: all of it, or so many tokens on either side.

    `strengths` (N) are those of the feature at every token of `given`.
    """
    tokens, most = given.tokens[example.sentence], float(strengths.max())
    own = np.zeros(len(tokens))
    here = given.sentence == example.sentence
    own[given.row[here]] = strengths[here]
    first, end = (0, len(tokens)) if around is None else (max(0, example.row - around), example.row + around + 1)
    texts = _characters(tokens) if _of_characters(given) else _texts(tokens)
    rows = [row for row in range(first, min(end, len(tokens))) if row == example.row or texts[row]]
    parts = [
        Shaded(_after(rows[:at], tokens) + (texts[row] or tokens[row]), float(own[row]) / most, row == example.row)
        for at, row in enumerate(rows)
    ]
    return f"{example.strength:.1f}", parts


def _after(rows: Sequence[int], tokens: Sequence[str]) -> str:
    """A space where a special token is shown before, which the text does not have."""
    return " " if rows and is_special(tokens[rows[-1]]) else ""


def _of_characters(given: examples.Activations) -> bool:
    """Whether the model reads characters: no token has more than one."""
    return all(len(token) == 1 or is_special(token) for tokens in given.tokens for token in tokens)


def _characters(tokens: Sequence[str]) -> list[str]:
    """Tokens of a model of characters, each space in front of the next."""
    texts = ["" if is_special(token) or token == EMPTY else token for token in tokens]
    return [" " * (before == EMPTY) + text for before, text in zip(["", *tokens], texts, strict=False)]


def _texts(tokens: Sequence[str]) -> list[str]:
    """What each token adds to the text of those before it, a space in front included; nothing for special tokens."""
    shown = ["" if token == EMPTY else token for token in tokens]
    texts = [joined(shown[:count]) for count in range(len(shown) + 1)]
    return [after[len(before) :] for before, after in pairwise(texts)]
