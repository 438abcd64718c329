"""Neighbours, the map of a vocabulary, and what padding weighs, as altair charts. Plain numbers in, charts out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import percent
from ...vega import inline, layered, with_percents

# Mid tones, to be read on a light and on a dark card.
NEAR, OWN, REST = "#3f8cc9", "#d9534a", "#7b828b"
HEALTHY, WRONG = "#3f8cc9", "#d9534a"
EMBEDDING = "#8a9a1f"
LINE = 24  # pixels of a row
AROUND = 80  # pixels that axis and legend take from a height
ROOM = (0.0105, 0.035)  # of the map's width for a letter, of its height for a line


@dataclass(frozen=True)
class Point:
    """A token on the map; `kind` is rest, near, own or chosen."""

    token: str
    id: int
    x: float
    y: float
    kind: str


def neighbours_chart(
    tokens: Sequence[str], ids: Sequence[int], cosines: Sequence[float], words: Mapping[str, str]
) -> Chart:
    """A bar per neighbour, nearest first, its cosine at its end."""
    rows = [
        {"label": f"{rank}  {token}", "token": token, "id": id_, "cosine": round(cosine, 4)}
        for rank, (token, id_, cosine) in enumerate(zip(tokens, ids, cosines, strict=True), start=1)
    ]
    lowest = min(0.0, *cosines)
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("label:N", sort=None, axis=_names()),
        x=alt.X("cosine:Q", title=words["cosine"], scale=alt.Scale(domain=[lowest, 1]), axis=alt.Axis(tickCount=5)),
        tooltip=[_tip("token:N", words["token"]), _tip("id:Q", words["id"]), _tip("cosine:Q", words["cosine"])],
    )
    bars = base.mark_bar(color=EMBEDDING, height=14, cornerRadiusEnd=3)
    number = alt.Text("cosine:Q", format=".2f")
    numbers = base.mark_text(align="left", dx=5, color=REST, fontSize=12).encode(text=number)
    return Chart(
        layered(
            bars,
            numbers,
            description=words["neighbours_description"],
            height=LINE * len(rows) + AROUND,
            width="container",
            background="transparent",
        ),
        lambda: neighbours_rows(tokens, ids, cosines),
    )


def neighbours_rows(tokens: Sequence[str], ids: Sequence[int], cosines: Sequence[float]) -> list[dict[str, object]]:
    """The table behind the chart."""
    return [
        {"rank": rank, "id": id_, "token": token, "cosine": cosine}
        for rank, (token, id_, cosine) in enumerate(zip(tokens, ids, cosines, strict=True), start=1)
    ]


def map_chart(points: Sequence[Point], shares: Sequence[float], words: Mapping[str, str]) -> Chart:
    """The points of a vocabulary on its first two principal components, named where they matter and it fits."""
    kinds = ("rest", "near", "own", "chosen")
    rows = [
        {"token": p.token, "id": p.id, "x": round(p.x, 4), "y": round(p.y, 4), "kind": words[f"kind_{p.kind}"]}
        for p in sorted(points, key=lambda p: kinds.index(p.kind))  # the rest lies below
    ]
    ids = _named(points, kinds)
    domain = [words[f"kind_{kind}"] for kind in kinds]
    titles = [words["component"].format(number=i + 1, share=percent(share, 1)) for i, share in enumerate(shares)]
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=260)
    places = {
        "x": alt.X("x:Q", title=titles[0], axis=_plain(), scale=alt.Scale(zero=False)),
        "y": alt.Y("y:Q", title=titles[1], axis=_plain(), scale=alt.Scale(zero=False)),
        "color": alt.Color("kind:N", scale=alt.Scale(domain=domain, range=[REST, NEAR, OWN, OWN]), legend=legend),
    }
    dots = (
        alt.Chart(inline(rows))
        .mark_point(filled=True, strokeWidth=1)
        .encode(
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=domain, range=["circle", "square", "circle", "diamond"])),
            size=alt.Size("kind:O", scale=_each(domain, [18, 60, 60, 180]), legend=legend),
            opacity=alt.Opacity("kind:O", scale=_each(domain, [0.45, 0.9, 1, 1]), legend=legend),
            tooltip=[_tip("token:N", words["token"]), _tip("id:Q", words["id"])],
            **places,
        )
    )
    names = (
        alt.Chart(inline([row for row in rows if row["id"] in ids]))
        .mark_text(align="left", dx=8, dy=-1, fontSize=12)
        .encode(text=alt.Text("token:N"), **places)
    )
    return Chart(
        layered(
            dots, names, description=words["map_description"], height=540, width="container", background="transparent"
        ),
        lambda: map_rows(points),
    )


def map_rows(points: Sequence[Point]) -> list[dict[str, object]]:
    """The table behind the chart."""
    return [asdict(point) for point in points]


def _named(points: Sequence[Point], kinds: Sequence[str]) -> set[int]:
    """The ids whose token is written beside the point: no points of kind `rest`, and no overlapping texts."""
    width, height = (np.ptp([getattr(p, axis) for p in points]) or 1.0 for axis in ("x", "y"))
    neighbours: list[Point] = []
    for point in sorted(points, key=lambda p: -kinds.index(p.kind)):
        length = ROOM[0] * width
        free = all(
            abs(point.y - other.y) > ROOM[1] * height
            or point.x > other.x + length * (len(other.token) + 2)
            or other.x > point.x + length * (len(point.token) + 2)
            for other in neighbours
        )
        if point.kind != kinds[0] and free:
            neighbours.append(point)
    return {point.id for point in neighbours}


def padding_chart(
    tokens: Sequence[str], masked: np.ndarray, unmasked: np.ndarray | None, words: Mapping[str, str]
) -> Chart:
    """Draw the share of the attention that each key gets, (T + P), with the mask and, where there is one, without."""
    series = {"masked": masked} | ({} if unmasked is None else {"unmasked": unmasked})
    labels = [f"{i}  {token}" for i, token in enumerate(tokens)]
    rows = [
        {"token": label, "mask": words[name], "share": round(float(value), 7)}
        for name, values in series.items()
        for label, value in zip(labels, values, strict=True)
    ]
    domain = [words[name] for name in ("masked", "unmasked")]
    return Chart(
        alt.Chart(inline(with_percents(rows, "share")), description=words["padding_description"])
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("token:N", sort=None, axis=_names()),
            yOffset=alt.YOffset("mask:N", sort=domain),
            x=alt.X("share:Q", title=words["share"], axis=alt.Axis(format="%", tickCount=5)),
            color=alt.Color(
                "mask:N",
                scale=alt.Scale(domain=domain, range=[HEALTHY, WRONG]),
                legend=alt.Legend(title=None, orient="top", labelLimit=260),
            ),
            tooltip=[
                _tip("token:N", words["token"]),
                _tip("mask:N", words["mask"]),
                _tip("share_said:N", words["share"]),
            ],
        )
        .properties(
            height=(LINE if len(labels) <= 24 else 16) * len(labels) + AROUND,
            width="container",
            background="transparent",
        ),
        lambda: padding_rows(tokens, masked, unmasked),
    )


def padding_rows(tokens: Sequence[str], masked: np.ndarray, unmasked: np.ndarray | None) -> list[dict[str, object]]:
    """The table behind the chart."""
    without = [None] * len(tokens) if unmasked is None else unmasked.tolist()
    columns = zip(tokens, masked.tolist(), without, strict=True)
    return [
        {"place": i, "token": token, "masked": share, "unmasked": other}
        for i, (token, share, other) in enumerate(columns)
    ]


def _names() -> alt.Axis:
    return alt.Axis(
        title=None, domain=False, ticks=False, labelLimit=110, labelFontSize=13, labelOverlap=False, labelFlush=False
    )


def _each(domain: Sequence[str], values: Sequence[float]) -> alt.Scale:
    """A number for each kind; Vega would space those of a size evenly."""
    return alt.Scale(type="ordinal", domain=list(domain), range=list(values))


def _plain() -> alt.Axis:
    return alt.Axis(tickCount=5, gridOpacity=0.25, domain=False, ticks=False)


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)
