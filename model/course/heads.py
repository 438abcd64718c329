"""Step 5, several heads and masks: what the first token of the decoder may look at."""

import numpy as np

from model.analysis.attention.head_measures import measures
from model.course.question import Question, among
from model.course.tokens import numbered
from model.trace import Trace


def question(trace: Trace) -> Question:
    """Ask for the weight that the first token gives to itself; the answer names the clearest heads."""
    weights = trace.weights("decoder")  # (L, H, T, T)
    layers, count, queries, _ = weights.shape
    results = measures(weights, "decoder")
    return among(
        f"{weights[0, 0, 0, 0]:.2f}",
        ["0.00", f"{1 / queries:.2f}", "0.50"],
        first=numbered(trace.target_tokens)[0],
        heads=count,
        layers=layers,
        **_most("previous", results["previous"]),
        **_most("start", results["first"]),
    )


def _most(name: str, weights: np.ndarray) -> dict[str, object]:
    """The head (L, H) with the largest mean weight of a kind, for the text."""
    layer, head = np.unravel_index(int(weights.argmax()), weights.shape)
    return {f"{name}_layer": layer, f"{name}_head": head, f"{name}_weight": f"{weights.max():.2f}"}
