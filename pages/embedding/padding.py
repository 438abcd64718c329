"""Padding after the sentence: how much fits, what it changes."""

from model.checkpoint import catalogue
from model.masking import padding
from pages.embedding.side_in_view import Side
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun

MOST_PADDING = 8


@models.cached(copy=True)
def padded(entry: catalogue.Entry, ids: tuple[int, ...], count: int, masked: bool):
    """A sentence with padding after it: what it weighs and what it changes."""
    return padding.padded(models.checkpoint(entry).model, list(ids), count, masked)


def most_padding(current_run: CurrentRun, stack: Side) -> int:
    """How much padding still fits the model's positions."""
    return min(MOST_PADDING, current_run.entry.config.max_length - len(stack.tokens))
