"""A run as it goes: its figure, which reads its own numbers, the buttons, and another run beside it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from corpora import task_list
from model.errors import InvalidInput
from model.jobs.types import Progress
from model.train.report import WHILE_IT_RUNS, RunReport
from pages.shared.load.component_code import component
from pages.shared.models.trainings import run_queue, runs
from pages.shared.models.trainings.run_numbers import numbers
from pages.shared.models.trainings.runs import TrainState
from pages.shared.session import script_run, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.train import run_in_view, settings_diff
from viz.components.live_run import FRONTEND, run_data
from viz.figures.run import RunFigure

_live_run = component("live_run", FRONTEND)


def figure(state: TrainState, run: Progress) -> None:
    """Curves and numbers, once a second, without a run of the page; only a change of state is one."""
    st.header(words(f"train_task.{run.settings.task}"), anchor=False)
    st.caption(_summary(run))
    settings_diff.say(run.settings)
    if run.ended is not None:
        notices.say("warning", refusal(run.ended))
    with st.container(horizontal=True, vertical_alignment="bottom", key="run_row"):
        if state.own:
            _buttons(run)
        elif not state.over:
            st.text(words("train.somebody"))
        beside = _beside(state, run)
    live = run.state in run_in_view.RUNNING
    data = run_data(
        run.id,
        state=run.state,
        live=live,
        moments=run.moments,
        moment=_moment(run) if run.moments and not live else None,
        selection=_head(),
        beside=beside,
        heads=_looked_up(run),
        details=controls.named("details", words("train_figure.details"), ("0", "1"), "0") == "1",
        language=view.language(),
        words=section("train_figure"),
        languages=runs.tags(run.settings.task),
    )

    def moved(step: int | None) -> None:
        if step is not None:
            view.choose(moment=None if step == run.moments[-1] else step)

    def locked(at: dict[str, Any] | None) -> None:
        if at:
            view.choose(attention_kind=at["kind"], layer=at["layer"], head=at["head"])

    def unfolded(details: bool | None) -> None:
        view.choose(details=1 if details else None)

    with show.still("live_run", words(f"train_task.{run.settings.task}")):
        _live_run(
            data=data,
            key="live_run",
            on_state_change=lambda: None,
            on_moment_change=widgets.heard("live_run", "moment", moved),
            on_details_change=widgets.heard("live_run", "details", unfolded),
            on_selection_change=widgets.heard("live_run", "selection", locked),
        )
    curves = RunFigure(
        lambda: [numbers(report, run.settings) for report in _reports(run.id)],
        run.settings.steps,
        _looked_up(run),
        section("train_figure"),
        lambda: _rows(run.id),
    )
    show.keep(curves.parts)
    export.files("run", curves)


def _looked_up(run: Progress) -> list[tuple[int, int]]:
    """The heads whose look-up of repeated letters is measured, (layer, head), in the order of the route."""
    s, shows = run.settings, task_list.tasks()[run.settings.task].shows
    return list(itertools.product(range(s.decoder_layers), range(s.heads))) if shows == "induction" else []


def _moment(run: Progress) -> int:
    """The saved moment in view, the last by default."""
    steps = [str(step) for step in run.moments]
    return int(controls.named("moment", words("train_figure.moment"), steps, steps[-1]))


def _head() -> dict[str, object] | None:
    """The head that a link asks for."""
    choices = view.view()
    if choices.attention_kind is None:
        return None
    return {"kind": choices.attention_kind, "layer": choices.layer or 0, "head": choices.head or 0}


def _summary(run: Progress) -> str:
    s = run.settings
    layers = f"{s.encoder_layers} + {s.decoder_layers}" if s.encoder_layers else str(s.decoder_layers)
    text = words(
        "train.summary", d_model=s.d_model, heads=s.heads, layers=layers, steps=f"{s.steps:,}",
        rate=f"{s.learning_rate:.3g}", seed=s.seed,
    )  # fmt: skip
    return f"{text} · {words('train.shuffled')}" if s.shuffled else text


def _buttons(run: Progress) -> None:
    """Draw the buttons that the run in its state allows; the figure hears of the change by itself."""
    if run.state == "running":
        _button("pause", run)
    if run.state == "paused":
        _button("resume", run)
    if run.state in (*run_in_view.RUNNING, "paused"):
        _button("stop", run)


def _button(what: str, run: Progress) -> None:
    if not st.button(words(f"train.{what}"), key=what):
        return
    queue = run_queue.jobs()
    act: dict[str, Callable[[str], None]] = {"pause": queue.pause, "resume": queue.resume, "stop": queue.stop}
    try:
        act[what](run.id)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
    else:
        if queue.progress(run.id, run_queue.NO_REPORTS).state != run.state:
            script_run.rerun()


def _beside(state: TrainState, run: Progress) -> str:
    """Another run of this user, to be drawn beside."""
    others = {id_: title for id_, title in runs.numbered(state).items() if id_ != run.id}
    if not others:
        return ""
    return controls.select("beside", words("train.beside"), {"": words("train.alone")} | others, "")


# to take away


def _reports(id_: str) -> Sequence[RunReport]:
    """Read the reports that there are when a file is asked for."""
    return run_queue.jobs().progress(id_).reports


def _rows(id_: str) -> list[dict[str, float | None]]:
    """A line for each report; what was not evaluated then is left empty."""
    return [
        {name: value for name, value in report.numbers().items() if name not in WHILE_IT_RUNS}
        for report in _reports(id_)
    ]
