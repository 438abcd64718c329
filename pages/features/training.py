"""A dictionary of the user's own: a run of the queue, its curves as it goes, and the way to its features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from model.checkpoint import catalogue
from model.features import job, sites
from model.jobs.types import Progress
from model.measurements import dictionaries
from pages.features import dictionary_in_view
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.models.trainings import run_queue
from pages.shared.session import script_run, view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, folder_command, run_progress, show
from viz.charts import feature_charts
from viz.numbers import percent

FEATURES = (144, 288, 576, 1152, 2304)
ACTIVE = (2, 4, 8, 16, 32)


def figures(current_run: CurrentRun) -> None:
    """The settings, the button, and the run as it goes."""
    with page.card("figure_train", words("features_train.title"), words("features_train.about")):
        entry = current_run.entry
        if isinstance(entry, catalogue.Untrained):
            show.text(words("features_train.untrained"))
            return
        progress = dictionary_in_view.run_of(entry)
        is_running = run_progress.is_running(progress)
        with page.columns(2, 3) as (left, right):
            with left:
                task = _form(entry)
                with st.container(horizontal=True, key="train_row"):
                    start = words("features_train.start")
                    kind: Literal["primary", "secondary"] = "primary" if progress is None else "secondary"
                    pressed = st.button(start, key="train_features", type=kind, disabled=is_running)
                    if pressed and run_progress.start(task, "features"):
                        script_run.rerun()
                    if progress and is_running:
                        run_progress.stop_button(progress)
            with right:
                if progress and is_running:
                    run_progress.watch(progress.id, "features_train.starts", "features_train.goes", _curves)
                elif progress:
                    _ended(progress)
                about, otherwise = words("features_train.command"), words("features.no_command")
                folder_command.say(entry, about, _command(entry, task), otherwise)


def _form(entry: catalogue.Entry) -> job.FeatureTask:
    """Draw the settings of a run."""
    config = entry.config
    titles = {name: name for name in sites.sites(config)}
    site = controls.select("at", words("features_train.site"), titles, sites.default(config))
    usual = min(FEATURES, key=lambda count: abs(count - 8 * config.d_model))  # eight for each number of a vector
    features = controls.steps("features", words("features_train.features"), FEATURES, usual)
    active = controls.steps("active", words("features_train.active"), ACTIVE, 8)
    seed = controls.number("seed_run", words("features_train.seed"), 0, 99_999, 0)
    return job.FeatureTask(str(entry.folder), site, features, active, seed=seed)


def _command(entry: catalogue.Entry, task: job.FeatureTask) -> str:
    numbers = f"--features {task.features} --active {task.active} --seed {task.seed}"
    return f"{dictionaries.MEASUREMENT.name} {entry.name} --site {task.site} \\\n    {numbers}"


def _ended(progress: Progress) -> None:
    """The curves of a run that is over, and the way to its dictionary."""
    progress = run_queue.jobs().progress(progress.id)
    if not progress.reports:
        return
    _curves(progress)
    numbers = progress.reports[-1].measured
    show.text(words("features_train.result", **{name: percent(numbers[name], 1) for name in ("unexplained", "dead")}))
    if "spliced" in numbers:
        show.text(words("features_train.result_spliced", spliced=f"{numbers['spliced']:.1f}"))
    if progress.moments:
        st.button(words("features_train.open"), key="open_own", type="primary", on_click=view.choose,
                  kwargs={"show": "sentence", "site": dictionary_in_view.OWN, "feature": None})  # fmt: skip


def _curves(progress: Progress) -> None:
    """The error, the dead features and the recovered score over the steps."""
    lines: dict[str, Sequence[tuple[float, float]]] = {
        name: [(report.step, report.measured[name] / unit) for report in progress.reports if name in report.measured]
        for name, unit in (("unexplained", 1), ("dead", 1), ("spliced", 100))
    }
    show.figure("features-training", feature_charts.shares_chart(lines, section("features_training_chart")))
