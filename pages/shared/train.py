"""The training run in view: which one it is, whose, and the others of this reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model.jobs import OVER, Progress
from model.refused import Refused
from pages.shared import notices, train_changes, train_jobs, view
from pages.shared.reader import reader
from pages.shared.reading import Ended
from pages.shared.warmup import is_warm
from pages.shared.words import refusal, words

if TYPE_CHECKING:
    from model.run_settings import RunSettings
    from model.runs import Evaluation

RUNNING = ("queued", "running")
_NO_REPORTS = 10**9  # more than any run has: what is asked for after them is none


@dataclass(frozen=True)
class Bench:
    """The run that the URL names, None without one; this reader's runs, the newest first; none has its reports."""

    run: Progress | None
    runs: tuple[Progress, ...]

    @property
    def own(self) -> bool:
        """Whether the run in view is this reader's; somebody else's can be watched, not steered."""
        return self.run is not None and self.run.id in {run.id for run in self.runs}

    @property
    def over(self) -> bool:
        """Whether the run in view has come to an end."""
        return self.run is not None and self.run.state in OVER


def bench() -> Bench:
    """Look the runs up, and say what is to be said where the one that the URL names is gone."""
    if not is_warm():
        st.caption(words("train.loading"))
        raise Ended  # the frame draws the page again when the model is there
    train_jobs.warm_up()
    runs = tuple(train_jobs.jobs().list(reader()))
    id_ = view.setting("run")
    if not id_:
        return Bench(None, runs)
    try:
        return Bench(train_jobs.jobs().progress(id_, _NO_REPORTS), runs)
    except Refused:
        notices.say("warning", words("train.lost"))
        return Bench(None, runs)


def start(settings: RunSettings, beside: str | None = None) -> None:
    """Queue a run and bring it into view, or say why not."""
    try:
        id_ = train_jobs.jobs().submit(settings, reader())
    except Refused as error:
        notices.say("warning", refusal(error))
        return
    view.choose(run=id_, beside=beside, moment=None)
    view.rerun()


def evaluation(run: Progress) -> Evaluation | None:
    """What the run could do when it was last evaluated."""
    reports = train_jobs.jobs().progress(run.id).reports
    return next((report.evaluation for report in reversed(reports) if report.evaluation), None)


def title(run: Progress) -> str:
    """A run in a few words."""
    settings = run.settings
    task = words(f"train_task.{settings.task}")
    apart = [words("train.shuffled")] if settings.shuffled else []
    steps = words("train.steps", count=f"{settings.steps:,}")
    return " · ".join([task, *apart, *train_changes.mistakes(settings), steps, words(f"train_state.{run.state}")])


def numbered(bench: Bench) -> dict[str, str]:
    """This reader's runs by id, numbered from the first one on."""
    return {run.id: f"{len(bench.runs) - i} · {title(run)}" for i, run in enumerate(bench.runs)}
