"""One token in two sentences: how alike its two vectors are at each depth.

T tokens. The arrays are those of a trace and need no torch.
"""

from __future__ import annotations

import numpy as np

from model.analysis import residual_stream
from model.analysis.cosine import cosine
from model.analysis.residual_stream import FINAL, INPUT, Side, Values

EMBEDDING = "embedding"


def vectors(values: Values, side: Side) -> dict[str, np.ndarray]:
    """Depth -> (T, d_model): the embedding, with its position (if the model has one), after each layer, the norm."""
    depths = {EMBEDDING: values[f"{side}.embedding"]}
    if f"{side}.position" in values:
        depths[INPUT] = values[f"{side}.input"]
    layers = [sub for sub in residual_stream.sublayers(values, side) if sub.part == "feed_forward"]
    depths |= {sub.depth: sub.after for sub in layers}
    if not np.array_equal(values[f"{side}.output"], layers[-1].after):
        depths[FINAL] = values[f"{side}.output"]
    return depths


def cosines(first: Values, second: Values, side: Side, positions: tuple[int, int]) -> dict[str, float]:
    """Cosine of the vectors of a token that stands at positions[0] of one pass and at positions[1] of another."""
    mine, other = vectors(first, side), vectors(second, side)
    return {at: float(cosine(mine[at][positions[0]], other[at][positions[1]])) for at in mine}


def shared(first: list[int], second: list[int], specials: int) -> dict[int, tuple[int, int]]:
    """Token ids that both sentences have, with the position of the first one in each; ids below `specials` are none.

    In the order of the first sentence.
    """
    return {id_: (first.index(id_), second.index(id_)) for id_ in first if id_ >= specials and id_ in second}
