"""What the logits of an encoder's labels mean, by the config's `label_kind`.

S tokens, L labels. Logits are (S or 1, L): of each token, or of the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from model.analysis.softmax import log_softmax


def kind_of(config: Mapping[str, Any]) -> str:
    """The kind that the fields of a TransformerConfig name, "one" in older ones; empty of a model without labels."""
    return str(config.get("label_kind", "one")) if config.get("labels") else ""


def scores(kind: str, logits: np.ndarray) -> np.ndarray:
    """Log-probabilities in nats, in the shape of the logits, and of `score` the numbers as they are.

    one: of each label among the labels; several: of each label by itself; span: of each token among the tokens.
    """
    logits = logits.astype(np.float64)
    if kind == "several":
        return -np.logaddexp(0, -logits)
    if kind == "span":
        return log_softmax(logits.T).T
    return logits if kind == "score" else log_softmax(logits)


def shares(kind: str, logits: np.ndarray) -> np.ndarray:
    """The probabilities of `scores`, and of `score` the numbers as they are."""
    values = scores(kind, logits)
    return values if kind == "score" else np.exp(values)


def span(logits: np.ndarray, places: Sequence[int]) -> tuple[int, int]:
    """The likeliest answer that lies within `places`, which follow each other: its first and its last token."""
    starts, ends = logits[places].astype(np.float64).T
    both = np.where(np.tri(len(places), dtype=bool).T, starts[:, None] + ends, -np.inf)  # an end is no earlier
    first, last = divmod(int(both.argmax()), len(places))
    return places[first], places[last]
