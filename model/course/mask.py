"""Step 6, the mask: what the tokens of the decoder would look at without it. T tokens, H heads.

Only of the first layer: what it reads does not depend on a mask, so that its weights without one are those that the
model would have.
"""

import numpy as np

from model.analysis.softmax import softmax
from model.course.question import Question, among
from model.course.tokens import numbered
from model.trace import Trace, path


def scores(trace: Trace) -> np.ndarray:
    """The scores of the first layer before the mask, (H, T, T)."""
    place = path("decoder", 0)
    own: np.ndarray = trace.values[f"{place}.scores"].astype(float)
    return own + trace.values.get(f"{place}.position_bias", 0.0)


def weights(scores: np.ndarray, *, masked: bool) -> np.ndarray:
    """The weights of scores (…, T, T), with the mask or without it."""
    later = np.triu(np.ones(scores.shape[-2:], dtype=bool), 1)
    return softmax(np.where(later & masked, -np.inf, scores))


def on_later(weights: np.ndarray) -> np.ndarray:
    """The weight that a row gives to later tokens, mean over the rows: (…) from (…, T, T)."""
    shares: np.ndarray = np.triu(weights, 1).sum(axis=-1).mean(axis=-1)
    return shares


def head(trace: Trace) -> int:
    """The head that would give later tokens the most weight."""
    return int(on_later(weights(scores(trace), masked=False)).argmax())


def question(trace: Trace) -> Question:
    """Ask for the weight that the first token gives to itself."""
    recorded = trace.weights("decoder")  # (L, H, T, T)
    layers, heads, tokens, _ = recorded.shape
    return among(
        f"{recorded[0, 0, 0, 0]:.2f}",
        ["0.00", f"{1 / tokens:.2f}", "0.50"],
        first=numbered(trace.target_tokens)[0],
        heads=heads,
        layers=layers,
    )
