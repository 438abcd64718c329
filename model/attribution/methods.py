"""The methods of attribution by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from model.attribution.attention_methods import mean_weights, rolled_out, weighted_norms
from model.attribution.gradients import gradient_times_input, integrated_gradients
from model.attribution.leave_one_out import leave_one_out
from model.attribution.method_names import REFERENCE
from model.attribution.value_zeroing import zeroed_values
from model.attribution.why_question import Question, by_word
from model.checkpoint.checkpoints import Checkpoint

_BY_TOKEN: dict[str, Callable[[Checkpoint, Question], np.ndarray]] = {
    "attention": lambda checkpoint, question: mean_weights(question),
    "rollout": lambda checkpoint, question: rolled_out(question),
    "norms": lambda checkpoint, question: weighted_norms(checkpoint.model, question),
    "gradient": gradient_times_input,
    "value_zeroing": zeroed_values,
    "integrated": lambda checkpoint, question: integrated_gradients(checkpoint, question).reliable,
}


def attribution(checkpoint: Checkpoint, question: Question, method: str) -> np.ndarray:
    """Attribution by a method to each word of `input_words`, (C); NaN where it has no value."""
    if method == REFERENCE:
        return leave_one_out(checkpoint, question)
    return by_word(question, _BY_TOKEN[method](checkpoint, question))
