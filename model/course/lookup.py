"""Step 1, the look-up: the weights of a query when a factor multiplies its scores. K tokens read."""

import numpy as np

from model.analysis.softmax import softmax
from model.course.question import Question, among
from model.course.tokens import longest
from model.trace import Trace, path


def scores(trace: Trace, layer: int, head: int) -> np.ndarray:
    """The scores of each token written over those that were read, (Q, K)."""
    return trace.values[f"{path('cross', layer)}.scores"][head]


def question(trace: Trace, layer: int, head: int) -> Question:
    """Ask for the weights at the factor 0. One wrong option is the largest weight without a factor."""
    row = scores(trace, layer, head)[longest(trace.output_tokens)]  # (K)
    share = f"{1 / len(row):.3f}"
    usual = float(softmax(row.astype(float)).max())
    return among(share, ["0", "1", f"{usual:.3f}", "0.500"], count=len(row), share=share)
