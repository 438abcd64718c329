"""Why a query looks at a key: the score as a table of parts of the query times parts of the key.

P parts of the query, R of a key, K keys that the query may see, D numbers of a head.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..figures.matrices import MatrixFigure
from .inputs import in_memory, numbers
from .matrices import labelled
from .texts import matrix_words, tag, term_words


def score_terms(
    query: Mapping[str, Any],
    keys: Mapping[str, Any],
    key: int,
    *,
    centred: bool = True,
    title: str = "",
    decimals: int = 2,
    language: str = "en",
) -> MatrixFigure:
    """The terms of one score of one head, (P, R): they add up to it.

    query     P parts by name, (D) each: what W_Q of the head makes of what each part of the model wrote into the token
    keys      R parts by name, (K, D) each: what W_K makes of them, for each key that the query may see
    key       the place of the key in question, from 0
    centred   show each term less its mean over the keys, as the softmax notices it; else as it is
    title     left out, what the numbers are

    Parts are taken behind the norm that the layer reads through, each divided by the same scale, and behind rotary
    positions. The terms are divided by √D.

    Raises ValueError or TypeError; the message names the part that does not fit.

    >>> figure = score_terms({"embedding": [1.0, 0.0]}, {"embedding": [[0.5, 0.0], [2.0, 1.0]]}, key=1)
    """
    with in_memory():
        q, k = _parts(query, "query", 1), _parts(keys, "keys", 2)
        if q.shape[-1] != k.shape[-1]:
            raise ValueError(f"query has {q.shape[-1]} numbers in each part, but keys have {k.shape[-1]}.")
        if not 0 <= key < k.shape[1]:
            raise ValueError(f"key: there are {k.shape[1]} keys, 0 to {k.shape[1] - 1}; there is no {key}.")
        at = k[:, key] - k.mean(axis=1) if centred else k[:, key]  # (R, D)
        values = q @ at.T / np.sqrt(q.shape[-1])
        words = term_words(language)
        content = labelled(
            values, "terms", title or words["centred_title" if centred else "raw_title"], list(query), list(keys),
            row_axis=words["rows"], column_axis=words["columns"], scale="signed", decimals=decimals,
        )  # fmt: skip
    return MatrixFigure([content], words=matrix_words(language), language=tag(language))


def _parts(parts: Mapping[str, Any], name: str, axes: int) -> np.ndarray:
    """The parts as one array, (P, D) or (R, K, D), in double precision."""
    if not isinstance(parts, Mapping) or not parts:
        raise TypeError(f"{name} is a dict of parts by name, with one at least.")
    shown = "(numbers of the head)" if axes == 1 else "(keys, numbers of the head)"
    arrays = {part: numbers(values, f"{name}[{part!r}]").astype(np.float64) for part, values in parts.items()}
    first = next(iter(arrays.values())).shape
    for part, array in arrays.items():
        if array.ndim != axes or not array.size:
            raise ValueError(f"{name}[{part!r}] needs the axes {shown}; it has the shape {array.shape}.")
        if array.shape != first:
            raise ValueError(f"{name}[{part!r}] has the shape {array.shape}, the parts before it {first}.")
    return np.stack(list(arrays.values()))
