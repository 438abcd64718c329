"""Points and paths in the first three or two principal components, as a plotly figure. Plain numbers in, a dict out.

The dict is plotly's JSON, so that this module needs no plotly.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...palette import BLUE, CLOUD, ORANGE, VIOLET

CLEAR = "rgba(0,0,0,0)"  # the card shows through
HEIGHT = 560  # px
Figure = dict[str, Any]


def vocabulary(
    points: np.ndarray, names: Sequence[str], paths: Sequence[np.ndarray], words: Sequence[str], places: Sequence[str],
    chosen: int, axes: Sequence[str],
) -> Figure:  # fmt: skip
    """The vocabulary (V, n) as a cloud, and each word's path (N, n) through the places of the model; n is 3 or 2.

    `chosen` is the word whose path is drawn strongly; `axes` has a title for each of the n axes.
    """
    count = points.shape[1]
    traces = [_trace(points, count, mode="markers", text=list(names), hoverinfo="text", showlegend=False,
                     marker={"size": 2.5 if count == 3 else 4, "color": CLOUD, "opacity": 0.45})]  # fmt: skip
    for at, (path, word) in enumerate(zip(paths, words, strict=True)):
        strong = at == chosen
        tone = ORANGE if strong else BLUE
        traces.append(
            _trace(
                path,
                count,
                mode="lines+markers+text",
                name=word,
                text=[word, *[""] * (len(path) - 1)],
                hovertext=[f"{word} · {place}" for place in places],
                hoverinfo="text",
                showlegend=False,
                textfont={"size": 15 if strong else 12, "color": tone},
                line={"width": 6 if strong else 2, "color": tone},
                marker={"size": 5 if strong else 3, "color": tone},
            )
        )
    return _figure(traces, axes)


def curve(points: np.ndarray, axes: Sequence[str]) -> Figure:
    """The position vectors (T, n) as a curve, coloured from the first to the last."""
    count = points.shape[1]
    numbers = list(range(len(points)))
    marker = {"size": 4 if count == 3 else 7, "color": numbers, "colorscale": "Viridis"}
    trace = _trace(points, count, mode="lines+markers+text", hovertext=list(map(str, numbers)), hoverinfo="text",
                   text=[str(at) if at % 8 == 0 else "" for at in numbers], showlegend=False, marker=marker,
                   line={"width": 3, "color": VIOLET})  # fmt: skip
    return _figure([trace], axes)


def rows(paths: Mapping[str, np.ndarray], places: Sequence[str]) -> list[dict[str, object]]:
    """A line for each point of each path (N, n)."""
    return [
        {"word": word, "place": place}
        | {f"component_{at + 1}": round(float(value), 5) for at, value in enumerate(point)}
        for word, path in paths.items()
        for place, point in zip(places, path, strict=True)
    ]


def _trace(points: np.ndarray, count: int, **rest: Any) -> dict[str, Any]:
    letters = dict(zip("xyz", points.T.tolist(), strict=False))
    return {"type": "scatter3d" if count == 3 else "scatter", **letters, **rest}


def _figure(traces: list[dict[str, Any]], axes: Sequence[str]) -> Figure:
    layout_axes = {
        f"{letter}axis": {"title": {"text": title}, "zeroline": False}
        for letter, title in zip("xyz", axes, strict=False)
    }
    layout: dict[str, Any] = {"height": HEIGHT, "margin": {"l": 0, "r": 0, "t": 8, "b": 0}}
    layout |= {"paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR}
    layout |= {"scene": layout_axes} if len(axes) == 3 else layout_axes
    return {"data": traces, "layout": layout}
