"""A dictionary of the user's own: a run of the queue, its curves as it goes, and the way to its features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.features import job, sites
from model.jobs.types import OVER, Progress
from model.measurements import dictionaries
from pages.features import dictionary_in_view
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.models.trainings import run_queue
from pages.shared.session import script_run, view
from pages.shared.session.user import user
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, folder_command, show
from viz.charts import feature_charts
from viz.numbers import percent

FEATURES = (144, 288, 576, 1152, 2304)
ACTIVE = (2, 4, 8, 16, 32)
_SESSION = "-features"  # after the user's name: the runs of /train are listed without these


def figures(current_run: CurrentRun) -> None:
    """The settings, the button, and the run as it goes."""
    with page.card("figure_train", words("features_train.title"), words("features_train.about")):
        entry = current_run.entry
        if isinstance(entry, catalogue.Untrained):
            show.text(words("features_train.untrained"))
            return
        progress = _progress(entry)
        is_running = progress is not None and progress.state not in OVER
        with page.columns(2, 3) as (left, right):
            with left:
                task = _form(entry)
                with st.container(horizontal=True, key="train_row"):
                    start = words("features_train.start")
                    kind: Literal["primary", "secondary"] = "primary" if progress is None else "secondary"
                    if st.button(start, key="train_features", type=kind, disabled=is_running):
                        _submit(task)
                    if progress is not None and is_running:
                        stop = run_queue.jobs().stop
                        st.button(words("features_train.stop"), key="stop", on_click=stop, args=(progress.id,))
            with right:
                if progress is not None:
                    _watch(progress.id) if is_running else _ended(progress)
                about, otherwise = words("features_train.command"), words("features.no_command")
                folder_command.say(entry, about, _command(entry, task), otherwise)


def _form(entry: catalogue.Entry) -> job.FeatureTask:
    """Draw the settings of a run."""
    config = entry.config
    titles = {name: name for name in sites.sites(config)}
    site = controls.select("at", words("features_train.site"), titles, sites.default(config))
    features = controls.steps("features", words("features_train.features"), FEATURES, _wide(config.d_model))
    active = controls.steps("active", words("features_train.active"), ACTIVE, 8)
    seed = controls.number("seed_run", words("features_train.seed"), 0, 99_999, 0)
    return job.FeatureTask(str(entry.folder), site, features, active, seed=seed)


def _command(entry: catalogue.Entry, task: job.FeatureTask) -> str:
    numbers = f"--features {task.features} --active {task.active} --seed {task.seed}"
    return f"{dictionaries.MEASUREMENT.name} {entry.name} --site {task.site} \\\n    {numbers}"


def _wide(d_model: int) -> int:
    """Eight times as many as a vector has numbers, or the nearest of the choices."""
    return min(FEATURES, key=lambda count: abs(count - 8 * d_model))


def _submit(task: job.FeatureTask) -> None:
    """Queue a run, or say why not."""
    try:
        dictionary_in_view.keep_run(run_queue.jobs().submit(task, user() + _SESSION))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return
    script_run.rerun()


def _progress(entry: catalogue.Entry) -> Progress | None:
    """The user's run on this model, None without one; one that failed says so."""
    progress = dictionary_in_view.run_of(entry)
    if progress is not None and progress.ended is not None:
        notices.say("warning", refusal(progress.ended))
    return progress


@st.fragment(run_every=1.0)
def _watch(run: str) -> None:
    """Draw how far it is; the page is drawn anew when it is over."""
    progress = run_queue.jobs().progress(run)
    if progress.state in OVER:
        script_run.rerun()
    if not progress.reports:
        waits = words("features_train.waits", position=progress.position)
        st.progress(0.0, waits if progress.position else words("features_train.starts"))
        return
    last = progress.reports[-1]
    numbers = {"step": last.step, "steps": last.steps, "left": f"{last.seconds_left:.0f}"}
    st.progress(last.step / last.steps, words("features_train.goes", **numbers))
    _curves(progress)


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
    """The error, the dead features and the spliced score over the steps."""
    lines: dict[str, Sequence[tuple[float, float]]] = {
        name: [(report.step, report.measured[name] / unit) for report in progress.reports if name in report.measured]
        for name, unit in (("unexplained", 1), ("dead", 1), ("spliced", 100))
    }
    show.figure("features-training", feature_charts.shares_chart(lines, section("features_training_chart")))
