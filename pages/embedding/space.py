"""The vocabulary in three dimensions, the way of each word through the layers, and the positions as a curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from model.analysis import embedding, residual_stream
from model.checkpoint import catalogue
from pages.embedding import side_in_view, vocabulary_map
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from viz.charts.embedding import component_charts
from viz.figures.plot import Plot
from viz.html.plain_table import table_html
from viz.numbers import percent

CLOUD = 1500  # tokens that are drawn
TURNS = 64  # positions
VIEWS = ("3", "2", "table")


def space(current_run: CurrentRun) -> None:
    """Both figures, each in three dimensions, in two, or as a table."""
    name = side_in_view.choose_side(current_run)
    side = side_in_view.side(current_run, name)
    token = side_in_view.choose_token(side)
    if side.table is None:
        show.caption(words("embedding.wait"))
        return
    titles = {each: words(f"embedding_space.as_{each}") for each in VIEWS}
    form = controls.choice("axes", words("embedding_space.axes"), titles, VIEWS[0], hidden=True)
    with page.card("figure_space", words("embedding_space.title"), words("embedding_space.about")):
        _words(current_run, name, side, token, form)
    page.flush()
    if side.position is not None:
        with page.card(
            "figure_curve",
            words("embedding_space.curve_title"),
            words(f"embedding_space.curve_{current_run.entry.config.position}"),
        ):
            _positions(current_run, name, form)


@models.cached
def _projection(entry: catalogue.Entry, name: str) -> embedding.Projection:
    """The table as it is added, in three dimensions."""
    table = side_in_view.tables(entry)[name]
    scale = np.sqrt(table.shape[1]) if entry.config.scale_embedding else 1.0
    return embedding.project(table * scale, min(3, table.shape[1]))


def _words(current_run: CurrentRun, name: str, side: side_in_view.Side, token: int, form: str) -> None:
    projection = _projection(current_run.entry, name)
    stream = residual_stream.stream(current_run.trace.values, "encoder" if name == "encoder" else "decoder")
    layers = {
        place: x for place, x in stream.items() if place == residual_stream.INPUT or place.endswith("feed_forward")
    }
    if side.widened:  # of a narrow embedding, which shares no space with the layers
        layers = {}
    places = [words("embedding_space.looked_up"), *map(_place, layers)]
    paths = np.stack([projection.place(x) for x in (side.embedding, *layers.values())], axis=1)  # (T, N, 3)
    tokens = [f"{at} {text}" for at, text in enumerate(side.tokens)]
    rows = component_charts.rows(dict(zip(tokens, paths, strict=True)), places)
    plot = _plot(None, rows)
    if form == "table":
        _table([row for row in rows if row["word"] == tokens[token]])
    else:
        count = min(int(form), paths.shape[-1])
        step = max(1, len(projection.points) // CLOUD)
        cloud = vocabulary_map.vocabulary(current_run.entry)[::step]
        figure = component_charts.vocabulary(
            projection.points[::step, :count], cloud, list(paths[..., :count]),
            list(side.tokens), places, token, _axes(projection.explained, count),
        )  # fmt: skip
        plot = _plot(figure, rows)
        show.figure("space", plot)
    share = projection.explained.sum()
    show.caption(words("embedding_space.hint", share=percent(share, 1), token=side.tokens[token]))
    export.files("space", plot)


def _positions(current_run: CurrentRun, name: str, form: str) -> None:
    model = models.checkpoint(current_run.entry).model
    table = model.sinusoids if model.config.position == "sinusoidal" else model.position_tables[name]
    vectors = table.detach().cpu().numpy()[:TURNS]
    projection = embedding.project(vectors, min(3, vectors.shape[1]))
    paths = {str(at): point[None] for at, point in enumerate(projection.points)}
    rows = [{"position": row["word"]} | {key: row[key] for key in row if key.startswith("component")}
            for row in component_charts.rows(paths, [""])]  # fmt: skip
    plot = _plot(None, rows)
    if form == "table":
        _table(rows)
    else:
        count = min(int(form), projection.points.shape[1])
        axes = _axes(projection.explained, count)
        plot = _plot(component_charts.curve(projection.points[:, :count], axes), rows)
        show.figure("curve", plot)
    show.caption(words("embedding_space.curve_hint", share=percent(projection.explained.sum(), 1), count=len(vectors)))
    export.files("curve", plot)


def _plot(drawing: Mapping[str, Any] | None, rows: list[dict[str, object]]) -> Plot:
    english, own = (section("embedding_space_buttons", language) for language in ("en", None))
    return Plot(drawing, rows, {english[key]: text for key, text in own.items()})


def _place(place: str) -> str:
    if place == residual_stream.INPUT:
        return words("embedding_space.input")
    return words("embedding_space.layer", layer=place.partition(".")[0])


def _axes(shares: np.ndarray, count: int) -> list[str]:
    return [words("embedding_space.component", number=at + 1, share=percent(shares[at], 1)) for at in range(count)]


def _table(rows: list[dict[str, object]]) -> None:
    heads = [section("embedding_space_table")[key.partition("_")[0]] + key.partition("_")[2] for key in rows[0]]
    cells = [[f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows]
    show.table(table_html(heads, cells))
