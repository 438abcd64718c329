"""Step 5, several heads: which head of the decoder's self-attention looks at the token before. L layers, H heads."""

import numpy as np

from model.analysis.attention.head_measures import measures
from model.course.question import Question, among
from model.trace import Trace


def question(trace: Trace) -> Question:
    """Ask for the head that gives the previous token the most weight; the clearest head of another kind is wrong."""
    results = measures(trace.weights("decoder"), "decoder")  # (L, H) each
    previous, start = results["previous"], results["first"]
    best, first = _most(previous), _most(start)
    others = [_most(results["diagonal"]), *np.ndindex(previous.shape)]
    wrong = [first, *sorted(others, key=lambda place: float(previous[place]))]
    return among(
        _named(best),
        [_named(place) for place in wrong],
        layer=best[0],
        head=best[1],
        weight=f"{previous[best]:.2f}",
        start_layer=first[0],
        start_head=first[1],
        start_weight=f"{start[first]:.2f}",
    )


def _most(measure: np.ndarray) -> tuple[int, int]:
    layer, head = np.unravel_index(int(measure.argmax()), measure.shape)
    return int(layer), int(head)


def _named(place: tuple[int, ...]) -> str:
    return " · ".join(map(str, place))
