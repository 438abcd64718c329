"""Step 5, several heads and masks: every head of the decoder's self-attention, with its empty triangle."""

import numpy as np

from model.analysis.attention.head_measures import measures
from pages.course import heads, tokens
from pages.course.question import Question, among
from pages.shared.models.sentence import CurrentRun


def figure(current_run: CurrentRun) -> Question:
    heads.maps(current_run, "course_heads")
    weights = current_run.trace.weights("decoder")  # (L, H, T, T)
    layers, count, queries, _ = weights.shape
    names = tokens.numbered(current_run.trace.target_tokens)
    wrong = ["0.00", f"{1 / queries:.2f}", "0.50"]
    results = measures(weights, "decoder")
    return among(
        f"{weights[0, 0, 0, 0]:.2f}",
        wrong,
        first=names[0],
        heads=count,
        layers=layers,
        **_most("previous", results["previous"]),
        **_most("start", results["first"]),
    )


def _most(name: str, weights: np.ndarray) -> dict[str, object]:
    """The head (L, H) with the largest mean weight of a kind, for the text."""
    layer, head = np.unravel_index(int(weights.argmax()), weights.shape)
    return {f"{name}_layer": layer, f"{name}_head": head, f"{name}_weight": f"{weights.max():.2f}"}
