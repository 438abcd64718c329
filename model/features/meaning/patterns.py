"""Patterns of sentences, and the tokens that they mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from model.tokenization.tokenizer import SPACE, Tokenizer


def marked(tokenizer: Tokenizer, ids: Sequence[int], pattern: str) -> list[bool]:
    """Which tokens of a sentence a pattern marks: those of its first group, or of the whole match."""
    texts = [tokenizer.piece(id_).replace(SPACE, " ") if tokenizer.is_text(id_) else "" for id_ in ids]
    text = "".join(texts)
    skipped = len(text) - len(text.lstrip())
    ends = np.cumsum([len(each) for each in texts])
    result = [False] * len(ids)
    for match in re.finditer(pattern, text.lstrip()):
        group = 1 if match.re.groups else 0
        start, end = match.start(group) + skipped, match.end(group) + skipped
        for row, (piece, stop) in enumerate(zip(texts, ends, strict=True)):
            result[row] |= stop - len(piece.lstrip()) < end and start < stop and bool(piece.strip())
    return result
