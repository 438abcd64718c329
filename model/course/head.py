"""Step 4, one head: the input token that gets the most weight. Q tokens written, K tokens read."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from model.config import TransformerConfig
from model.course.question import Question, among
from model.course.tokens import numbered, worded
from model.trace import Trace


def of_card(card: Mapping[str, Any], config: TransformerConfig) -> tuple[int, int]:
    """Layer and head of the cross-attention to look at first; the first one where the card names none of the model."""
    look = card["first_look"]
    has_it = look["layer"] < config.decoder_layers and look["head"] < config.heads
    return (look["layer"], look["head"]) if look["attention_kind"] == "cross" and has_it else (0, 0)


def question(trace: Trace, layer: int, head: int) -> Question:
    """Ask about the row that is second clearest: a figure opens with the clearest one."""
    weights = trace.weights("cross")[layer, head]  # (Q, K)
    queries, keys = trace.output_tokens, numbered(trace.source_tokens)
    query = _clearest(trace, weights)[:2][-1]
    order = np.argsort(-weights[query], kind="stable").tolist()
    best = order[0]
    return among(
        keys[best],
        [keys[place] for place in order[1:]],
        word=queries[query],
        layer=layer,
        head=head,
        token=keys[best],
        weight=f"{weights[query, best]:.2f}",
    )


def clearest(trace: Trace, layer: int, head: int) -> tuple[int, int] | None:
    """The row with which a figure opens and its largest weight; None where that is the row that is asked about."""
    weights = trace.weights("cross")[layer, head]
    rows = _clearest(trace, weights)
    return (rows[0], int(weights[rows[0]].argmax())) if len(rows) > 1 else None


def _clearest(trace: Trace, weights: np.ndarray) -> list[int]:
    """The rows of words, the one whose largest weight leads most first."""
    return sorted(worded(trace.output_tokens), key=lambda row: -_lead(weights[row]))


def _lead(row: np.ndarray) -> float:
    """By how much the largest weight leads."""
    second, first = np.sort(row)[-2:] if len(row) > 1 else (0.0, row[0])
    return float(first - second)
