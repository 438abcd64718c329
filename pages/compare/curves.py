"""Two models before any sentence: the curves of their training, and their configs."""

from __future__ import annotations

from model.checkpoint import catalogue, history
from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.compare import presets, sides
from pages.compare.pair import Pair
from pages.shared.models import models
from pages.shared.models.trainings import run_queue, runs
from pages.shared.session.user import user
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.compare_charts import Curve, curves_chart


def curves(pair: Pair) -> None:
    """The losses of both trainings, of what belongs to them, and of the user's own runs, on one scale."""
    entries_ = sides.others()
    third = presets.beside(pair)
    entries = {side.entry.name: side.entry for side in pair.sides} | {name: entries_[name] for name in third}
    trainings = [_curve(entry) for entry in entries.values()]
    for curve in trainings:
        if not curve.training:
            show.text(words("compare_curves.none", name=curve.name))
    own = [_of_run(run, title) for run, title in _runs().items()]
    complete = [curve for curve in (*trainings, *own) if curve.training]
    if not complete:
        return
    tasks = {entry.card.get("task") for entry in entries.values() if not isinstance(entry, catalogue.Untrained)}
    if len(tasks) > 1:
        show.text(words("compare_curves.tasks"))
    for name in third:
        show.text(words("compare_curves.third", name=name))
    texts = section("compare_chart")
    show.figure("compare-curves", curves_chart(complete, texts))


def _curve(entry: catalogue.Entry) -> Curve:
    points = () if isinstance(entry, catalogue.Untrained) else _points(entry)
    return Curve(
        sides.name_of(entry),
        [(point.step, point.loss) for point in points if point.loss == point.loss],
        [(point.step, point.validation_loss) for point in points if point.validation_loss is not None],
    )


@models.cached
def _points(entry: catalogue.Entry) -> tuple[history.Point, ...]:
    return history.curve(entry)


def _runs() -> dict[Progress, str]:
    """The user's own runs that are to be drawn too."""
    mine = run_queue.jobs().list(user())
    if not mine:
        return {}
    title_of = runs.numbered(runs.TrainState(None, tuple(mine)))
    ids = controls.several("runs", words("compare_curves.runs"), title_of, [])
    return {run: title_of[run.id] for run in mine if run.id in ids}


def _of_run(run: Progress, title: str) -> Curve:
    try:
        reports = run_queue.jobs().progress(run.id).reports
    except InvalidInput:  # removed since it was listed
        reports = ()
    training = [(report.step, report.loss) for report in reports if report.loss == report.loss]
    validation = [(report.step, report.evaluation.validation_loss) for report in reports if report.evaluation]
    return Curve(title, training, validation)
