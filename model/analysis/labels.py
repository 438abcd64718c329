"""What the logits of an encoder's labels mean, by the config's `label_kind`.

S tokens, L labels. Logits are (S or 1, L): of each token, or of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.analysis.softmax import log_softmax, softmax
from model.config import TransformerConfig


def kind_of(config: TransformerConfig) -> str:
    """The `label_kind` of a model; empty of one without labels."""
    return config.label_kind if config.labels else ""


WITHOUT_PROBABILITY = ("score", "span")  # kinds whose score is no logarithm of a probability


def scores(kind: str, logits: np.ndarray) -> np.ndarray:
    """What one can ask the causes of, in the shape of the logits: log-probabilities in nats, or the logits themselves.

    one: of each label among the labels; several: of each label by itself. A number is taken as it is, and so is the
    logit of a start or an end: its probability among the tokens would grow with each token that is left out.
    """
    logits = logits.astype(np.float64)
    if kind in WITHOUT_PROBABILITY:
        return logits
    return -np.logaddexp(0, -logits) if kind == "several" else log_softmax(logits)


def shares(kind: str, logits: np.ndarray) -> np.ndarray:
    """Probabilities, and of `score` the numbers as they are; those of `span` are of each token among all tokens."""
    if kind == "span":
        return softmax(logits.astype(np.float64).T).T
    return scores(kind, logits) if kind == "score" else np.exp(scores(kind, logits))


def span(logits: np.ndarray, positions: Sequence[int]) -> tuple[int, int]:
    """The likeliest answer that lies within `positions`, which follow each other: its first and its last token."""
    starts, ends = logits[positions].astype(np.float64).T
    both = np.where(np.tri(len(positions), dtype=bool).T, starts[:, None] + ends, -np.inf)  # an end is no earlier
    first, last = divmod(int(both.argmax()), len(positions))
    return positions[first], positions[last]
