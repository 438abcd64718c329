"""Vector arithmetic: row a − row b + row c, the rows nearest to it, and how many questions of a list come out right."""

from __future__ import annotations

import numpy as np
import streamlit as st

from corpora import analogies
from model.analysis import embedding
from model.checkpoint.catalogue import Entry
from pages.embedding import side_in_view, vocabulary_map
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.embedding import analogy_charts
from viz.charts.embedding.point_names import Point
from viz.charts.embedding.vocabulary_charts import neighbours_chart
from viz.html.plain_table import table_html

NEAREST = 5
KEYS = ("plus", "minus", "also")  # a − b + c


def arithmetic(current_run: CurrentRun) -> None:
    """All of this view."""
    texts = section("embedding_analogies")
    with page.card("figure_arithmetic", texts["title"], texts["hint"]):
        if current_run.recorded:
            show.caption(words("embedding.wait"))
            return
        entry = current_run.entry
        names = vocabulary_map.vocabulary(entry)
        ids = _chosen(entry, names)
        cosines = embedding.combined(_table(entry), *ids)
        order = np.argsort(-cosines, kind="stable")
        near = [int(id_) for id_ in order if id_ not in ids][:NEAREST]
        left, right = st.columns([2, 3], gap="medium")
        with left:
            columns = [names[id_] for id_ in near], near, [float(cosines[id_]) for id_ in near]
            figure = neighbours_chart(*columns, section("embedding_chart"))
            show.figure("analogy-nearest", figure)
            own = {"nearest": names[order[0]], "cosine": f"{cosines[order[0]]:.2f}"}
            show.text(words("embedding_analogies.own", **own))
        with right:
            points, arrows = _map(entry, names, ids, near)
            chart = analogy_charts.arrows_chart(points, arrows, texts)
            rows = [vars(point) for point in points if point.kind != "rest"]
            show.figure("analogy-map", chart.with_rows(lambda: rows))
        _counted(entry)


def _chosen(entry: Entry, names: tuple[str, ...]) -> tuple[int, int, int]:
    """The controls for the three tokens: whole words and single characters."""
    ids = {name: id_ for id_, name in reversed(list(enumerate(names))) if name.isalnum()}
    options = {name: name for name in sorted(ids, key=str.lower)}
    default = [name for name in (names[id_] for id_ in _worth_seeing(entry)) if name in ids] or list(ids)[:3]
    with st.container(horizontal=True, key="analogy"):
        tokens = [
            controls.select(key, words(f"embedding_analogies.{key}"), options, name)
            for key, name in zip(KEYS, default, strict=True)
        ]
    return ids[tokens[0]], ids[tokens[1]], ids[tokens[2]]


@models.cached
def _worth_seeing(entry: Entry) -> tuple[int, ...]:
    """A question of the list that comes out right, else the first; none where the vocabulary has no question."""
    questions = [each for group in analogies.questions(vocabulary_map.vocabulary(entry)).values() for each in group]
    right = (each for each in questions if embedding.solved(_table(entry), [each], own=False))
    return next(right, questions[0])[:3] if questions else ()


def _table(entry: Entry) -> np.ndarray:
    """The table of what the model reads, (V, d_model)."""
    tables = side_in_view.tables(entry)
    return tables.get("encoder", tables[next(iter(tables))])


def _map(
    entry: Entry, names: tuple[str, ...], ids: tuple[int, int, int], near: list[int]
) -> tuple[list[Point], list[tuple[Point, Point]]]:
    """The points, and the arrows b → a and c → a − b + c. A projection keeps sums whose factors add up to 1."""
    plane = vocabulary_map.projection(entry, "encoder" if "encoder" in side_in_view.tables(entry) else "decoder").points

    def point(id_: int, kind: str) -> Point:
        return Point(names[id_], id_, float(plane[id_, 0]), float(plane[id_, 1]), kind)

    a, b, c = (point(id_, "own") for id_ in ids)
    total = Point(words("embedding_analogies.kind_sum"), -1, a.x - b.x + c.x, a.y - b.y + c.y, "sum")
    rest = [point(id_, "rest") for id_ in vocabulary_map.first_words(names) if id_ not in (*ids, *near)]
    return [*rest, *(point(id_, "near") for id_ in near), a, b, c, total], [(b, a), (c, total)]


@models.cached
def counted(entry: Entry) -> dict[str, tuple[int, int, int]]:
    """By relation: questions that come out right without the three tokens, with them, and all."""
    table = _table(entry)
    return {
        relation: (embedding.solved(table, group, own=False), embedding.solved(table, group, own=True), len(group))
        for relation, group in analogies.questions(vocabulary_map.vocabulary(entry)).items()
    }


def _counted(entry: Entry) -> None:
    """How many questions of the list come out right, in all and by relation."""
    counts, texts = counted(entry), section("embedding_analogies")
    if not counts:
        show.text(texts["no_questions"])
        return
    right, own, count = np.sum(list(counts.values()), axis=0).tolist()
    show.text(words("embedding_analogies.counted", right=right, own=own, count=count))
    heads = [texts[key] for key in ("relation", "without", "with")]
    rows = [
        (words(f"embedding_relation.{relation}"), f"{right} / {count}", f"{own} / {count}")
        for relation, (right, own, count) in counts.items()
    ]
    show.table(table_html(heads, rows))
    show.caption(texts["why"])
