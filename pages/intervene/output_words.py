"""The words of the output that can be looked at one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.edit import edit_effects
from pages.shared.changes.in_link import EditState
from pages.shared.models import models
from pages.shared.text.words import words
from pages.shared.ui import token_picker


@dataclass(frozen=True)
class Steps:
    """The words written (the tokens read, for an encoder alone), and the rows of the pass that they stand in."""

    tokens: tuple[str, ...]
    first: int
    ids: np.ndarray | None  # (T) of every row, the prompt's too


def steps(state: EditState) -> Steps:
    """Words that can be looked at one by one."""
    if not state.writes:
        has_words = "logits" in state.run.trace.values
        ids = edit_effects.generated(state.run) if has_words else None
        return Steps(state.run.trace.source_tokens, 0, ids)
    first = edit_effects.first_step(models.checkpoint(state.entry), state.run)
    ids = edit_effects.generated(state.run)
    tokens = models.tokenizer(state.entry).tokens(ids[first:].tolist(), begins=bool(state.run.source))
    return Steps(tokens, first, ids)


def step(state: EditState) -> int:
    """Draw the control for the word that is looked at, and give its place among the steps."""
    tokens = steps(state).tokens
    label = words("intervene.step" if state.writes else "intervene.step_encoder")
    return token_picker.longest_first("step", label, tokens)
