"""Neighbours, the map of a vocabulary, and what padding weighs, as altair charts. Plain numbers in, charts out."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import percent
from ...palette import FAILS, HOLDS, INK, OLIVE, STONE
from ...vega import with_percents
from ..marks import bars, chart, marks
from ..style import BARE, WHOLE, Words, legend, series, tips, x_axis, y_axis
from .point_names import Point, extent, names, point_rows, sides

LINE = 24  # pixels of a row
AROUND = 80  # pixels that axis and legend take from a height
ROOM = (600, 440)  # px of the map, where it is narrow
KINDS = ("rest", "near", "own", "chosen")


def neighbours_chart(tokens: Sequence[str], ids: Sequence[int], cosines: Sequence[float], words: Words) -> Chart:
    """A bar per neighbour, nearest first, its cosine at its end."""
    neighbours = list(enumerate(zip(tokens, ids, cosines, strict=True), start=1))
    rows = [
        {"label": f"{rank}  {token}", "token": token, "id": id_, "cosine": round(cosine, 4)}
        for rank, (token, id_, cosine) in neighbours
    ]
    base = marks(
        rows,
        y=_names("label:N"),
        x=x_axis("cosine:Q", words["cosine"], {"domain": [min(0.0, *cosines), 1]}, tickCount=5),
        tooltip=tips(words, "token:N", "id:Q", "cosine:Q"),
    )
    numbers = base.mark_text(align="left", dx=5, color=INK, fontSize=12)
    return chart(
        bars(base, 14, OLIVE),
        numbers.encode(text=alt.Text("cosine:Q", format=".2f")),
        description=words["neighbours_description"],
        height=LINE * len(rows) + AROUND,
        rows=lambda: [
            {"rank": rank, "id": id_, "token": token, "cosine": cosine} for rank, (token, id_, cosine) in neighbours
        ],
    )


def map_chart(points: Sequence[Point], shares: Sequence[float], words: Words) -> Chart:
    """The points of a vocabulary on its first two principal components, named where they matter and it fits."""
    rows = point_rows(points, KINDS, words)
    kinds = [words[f"kind_{kind}"] for kind in KINDS]
    titles = [words["component"].format(number=i + 1, share=percent(share, 1)) for i, share in enumerate(shares)]
    above = legend(columns=2, labelLimit=260)
    plain: dict[str, Any] = {"scale": {"zero": False}, "tickCount": 5, "gridOpacity": 0.25, **BARE}
    places = {
        "x": x_axis("x:Q", titles[0], **plain),
        "y": y_axis("y:Q", titles[1], **plain),
        **series("kind:N", kinds, above, color=[STONE, HOLDS, FAILS, FAILS]),
    }
    dots = marks(
        rows,
        **places,
        **series("kind:N", kinds, shape=["circle", "square", "circle", "diamond"]),
        **series("kind:O", kinds, above, size=[18, 60, 60, 180], opacity=[0.45, 0.9, 1, 1]),
        tooltip=tips(words, "token:N", "id:Q"),
    )
    scale = (ROOM[0] / extent([point.x for point in points]), ROOM[1] / extent([point.y for point in points]))
    named = sorted((p for p in points if p.kind != KINDS[0]), key=lambda p: -KINDS.index(p.kind))
    return chart(
        dots.mark_point(filled=True, strokeWidth=1),
        *names(sides(named, (), scale, all_named=False), x=places["x"], y=places["y"]),
        description=words["map_description"],
        height=540,
        rows=lambda: map(asdict, points),
    )


def padding_chart(tokens: Sequence[str], masked: np.ndarray, unmasked: np.ndarray | None, words: Words) -> Chart:
    """Draw the share of the attention that each key gets, (T + P), with the mask and, where there is one, without."""
    shares = {"masked": masked} | ({} if unmasked is None else {"unmasked": unmasked})
    labels = [f"{i}  {token}" for i, token in enumerate(tokens)]
    rows = [
        {"token": label, "mask": words[name], "share": round(float(value), 7)}
        for name, values in shares.items()
        for label, value in zip(labels, values, strict=True)
    ]
    names = [words["masked"], words["unmasked"]]
    base = marks(
        with_percents(rows, "share"),
        y=_names("token:N"),
        yOffset=alt.YOffset("mask:N", sort=names),
        x=x_axis("share:Q", words["share"], format="%", tickCount=5),
        tooltip=tips(words, "token:N", "mask:N", "share_said:N"),
        **series("mask:N", names, legend(labelLimit=260), color=[HOLDS, FAILS]),
    )
    without = [None] * len(tokens) if unmasked is None else unmasked.tolist()
    return chart(
        base.mark_bar(cornerRadiusEnd=2),
        description=words["padding_description"],
        height=(LINE if len(labels) <= 24 else 16) * len(labels) + AROUND,
        rows=lambda: [
            {"place": i, "token": token, "masked": share, "unmasked": other}
            for i, (token, share, other) in enumerate(zip(tokens, masked.tolist(), without, strict=True))
        ],
    )


def _names(field: str) -> alt.Y:
    """The names of the bars in the order of the rows."""
    return alt.Y(field, sort=None, axis=alt.Axis(title=None, labelLimit=110, labelFontSize=13, **BARE, **WHOLE))
