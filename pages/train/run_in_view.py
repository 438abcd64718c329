"""The training run in view: which one it is, whose, and the others of this user."""

from __future__ import annotations

import streamlit as st

from model.errors import InvalidInput
from model.jobs.types import Progress
from model.train import run_settings
from model.train.job import TrainingTask
from model.train.report import Evaluation
from pages.shared.models.sentence import Ended
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.runs import TrainState
from pages.shared.models.warmup import is_warm
from pages.shared.session import script_run, view
from pages.shared.session.user import user
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

RUNNING = ("queued", "running")


def read() -> TrainState:
    """Look the runs up, and say what is to be said where the one that the URL names is gone."""
    if not is_warm():
        st.caption(words("train.loading"))
        raise Ended  # the frame draws the page again when the model is there
    run_queue.warm_up()
    runs = tuple(run_queue.jobs().list(user()))
    id_ = view.setting("run")
    if not id_:
        return TrainState(None, runs)
    try:
        return TrainState(run_queue.jobs().progress(id_, run_queue.NO_REPORTS), runs)
    except InvalidInput:
        notices.say("warning", words("train.lost"))
        return TrainState(None, runs)


def start(settings: run_settings.RunSettings, beside: str | None = None) -> None:
    """Queue a run and bring it into view, or say why not."""
    try:
        id_ = run_queue.jobs().submit(TrainingTask(settings), user())
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return
    view.choose(run=id_, beside=beside, moment=None)
    script_run.rerun()


def evaluation(run: Progress) -> Evaluation | None:
    """The last evaluation of the run, None before the first."""
    reports = run_queue.jobs().progress(run.id).reports
    return next((report.evaluation for report in reversed(reports) if report.evaluation), None)
