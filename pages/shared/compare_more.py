"""What two models were before any sentence: the curves of their training, and their configs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from model import catalogue
from model.refused import Refused
from pages.shared import charts, compare_ready, compare_sides, controls, models, take, train, train_jobs, view
from pages.shared.compare import END, Pair, Side
from pages.shared.reader import reader
from pages.shared.words import section, words
from viz.compare import Curve, Field, curves_chart, curves_rows, fields_html, fields_rows, fields_svg

if TYPE_CHECKING:
    from model.compare_configs import Line
    from model.history import Point
    from model.jobs import Progress


# curves


def curves(pair: Pair) -> None:
    """The losses of both trainings, of what belongs to them, and of the reader's own runs, on one scale."""
    known = compare_sides.others()
    third = compare_ready.beside(pair)
    entries = {side.entry.name: side.entry for side in pair.sides} | {name: known[name] for name in third}
    found = [_curve(entry) for entry in entries.values()]
    for curve in found:
        if not curve.training:
            st.text(words("compare_curves.none", name=curve.name))
    own = [_of_run(run, title) for run, title in _runs().items()]
    drawn = [curve for curve in (*found, *own) if curve.training]
    if not drawn:
        return
    tasks = {entry.card.get("task") for entry in entries.values() if not isinstance(entry, catalogue.Untrained)}
    if len(tasks) > 1:
        st.text(words("compare_curves.tasks"))
    for name in third:
        st.text(words("compare_curves.third", name=name))
    texts = section("compare_chart")
    charts.chart("compare-curves", curves_chart(drawn, texts), lambda: curves_rows(drawn, texts))


def _curve(entry: catalogue.Entry) -> Curve:
    points = () if isinstance(entry, catalogue.Untrained) else _points(entry)
    return Curve(
        compare_sides.name_of(entry),
        [(point.step, point.loss) for point in points if point.loss == point.loss],
        [(point.step, point.validation_loss) for point in points if point.validation_loss is not None],
    )


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _points(entry: catalogue.Entry) -> tuple[Point, ...]:
    from model import history

    return history.curve(entry)


def _runs() -> dict[Progress, str]:
    """The reader's own runs that are to be drawn too."""
    mine = train_jobs.jobs().list(reader())
    if not mine:
        return {}
    numbered = train.numbered(train.Bench(None, tuple(mine)))
    chosen = controls.several("runs", words("compare_curves.runs"), numbered, [])
    return {run: numbered[run.id] for run in mine if run.id in chosen}


def _of_run(run: Progress, title: str) -> Curve:
    try:
        reports = train_jobs.jobs().progress(run.id).reports
    except Refused:  # removed since it was listed
        reports = ()
    training = [(report.step, report.loss) for report in reports if report.loss == report.loss]
    judged = [(report.step, report.evaluation.validation_loss) for report in reports if report.evaluation]
    return Curve(title, training, judged)


# configs


def configs(pair: Pair) -> None:
    """Every field of both configs, those that differ marked and first."""
    from model import compare_configs

    entries = [side.entry for side in pair.sides]
    lines = compare_configs.config_lines(*(entry.config for entry in entries))
    lines += compare_configs.card_lines(*map(_card, pair.sides))
    count = sum(line.differs for line in lines)
    st.text(words("compare_config.count" if count else "compare_config.none", count=count, all=len(lines)))
    only = count > 0 and controls.toggle("only", words("compare_config.only"), False)
    fields = [_field(line) for line in lines if line.differs or not only]
    names = (pair.a.name, pair.b.name)
    texts = section("compare_table")
    if fields:
        st.html(fields_html(fields, names, texts))
        take.files("compare-configs", lambda: fields_svg(fields, names, texts), lambda: fields_rows(fields))


def _card(side: Side) -> Mapping[str, Any]:
    """The card of a model at its moment: of its training the steps that were made by then."""
    card = side.entry.card
    return card if side.moment == END else card | {"training": card["training"] | {"steps": int(side.moment)}}


def _field(line: Line) -> Field:
    values = (_spelled(line.first), _spelled(line.second))
    return Field(line.name, words(f"compare_field.{line.name}"), values, line.differs)


def _spelled(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return words("compare_table.yes" if value else "compare_table.no")
    return f"{value:,}" if isinstance(value, int) else view.spelled(value)
