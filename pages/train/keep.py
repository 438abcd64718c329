"""What can be done with a run that is over: judge what it learned, keep the model."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.shared.links import FRESH, START
from pages.shared.models import current
from pages.shared.models import own as own_models
from pages.shared.models import queue as run_queue
from pages.shared.models.runs import TrainState
from pages.shared.session import address, script_run
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import download
from pages.train import workbench

if TYPE_CHECKING:
    from model.train.run import Evaluation

_kept: dict[str, str] = {}  # run -> the name of its model, for all sessions: a user who reloads has kept it already
_MOST = 1000
KNOWS, FAILS = 0.9, 0.2  # shares of right answers from which on, and up to which, a verdict is clear


def judge(bench: TrainState, run: Progress) -> None:
    """Held-out data beside training data, in plain words; and for the notebook's task the control of it."""
    found = workbench.evaluation(run)
    if found is None:
        return
    with st.container(border=True, key="figure_verdict"):
        st.header(words("train_verdict.title"), anchor=False)
        for line in _verdict(run, found):
            st.text(line)
        if run.settings.task == "notebook" and bench.own:
            _control(run)


def _verdict(run: Progress, found: Evaluation) -> list[str]:
    if found.exact_training is None or found.exact_held_out is None:
        return [words("train_verdict.going_on")]
    counts = words(
        "train_verdict.counts",
        right=round(found.exact_training * found.training),
        count=found.training,
        held_right=round(found.exact_held_out * found.held_out),
        held=found.held_out,
    )
    if found.exact_training < KNOWS:
        said = words("train_verdict.between")
    elif found.exact_held_out >= KNOWS:
        said = words("train_verdict.rule")
    else:
        said = words("train_verdict.by_heart" if found.exact_held_out <= FAILS else "train_verdict.partly")
    return [counts, said, words("train_verdict.nonsense")] if run.settings.shuffled else [counts, said]


def _control(run: Progress) -> None:
    """The same run with wrong translations, or, after it, with the right ones."""
    from dataclasses import replace

    shuffled = run.settings.shuffled
    st.caption(words("train_verdict.control"))
    label = words("train_verdict.again" if shuffled else "train_verdict.shuffle")
    if st.button(label, key="control"):
        workbench.start(replace(run.settings, shuffled=not shuffled), beside=run.id)


# keep


def keep(bench: TrainState, run: Progress) -> None:
    """The model for every page of this session, and as a file."""
    with st.container(border=True, key="figure_keep"):
        st.header(words("train_keep.title"), anchor=False)
        name = _kept.get(run.id, "")
        if name not in current.models():
            st.caption(words("train_keep.hint"))
            if st.button(words("train_keep.keep"), key="keep", type="primary"):
                _keep(run)
            return
        st.text(words("train_keep.kept", name=name))
        with st.container(horizontal=True, key="kept_row"):
            if st.button(words("train_keep.open"), key="open_attention", type="primary"):
                address.open_page("attention", checkpoint=name, **dict.fromkeys(("attention_kind", "layer", "head")))
            if st.button(words("train_keep.compare"), key="open_compare"):
                address.open_page("compare", **FRESH | {"checkpoint": name, "other": name, "other_moment": START})
            download.download(current.models()[name])


def _keep(run: Progress) -> None:
    from model.build.keep_run import keep_run

    queue = run_queue.jobs()
    result = queue.result(run.id)
    saved = [result.moment(step) for step in result.moments]
    reports = queue.progress(run.id).reports
    with st.spinner(words("train_keep.writing")), tempfile.TemporaryDirectory() as folder:
        task = run.settings.task
        try:
            name = own_models.add(keep_run(Path(folder) / task, run.settings, reports, saved))
        except InvalidInput as error:
            notices.say("warning", refusal(error))
            return
    _kept[run.id] = name
    if len(_kept) > _MOST:
        del _kept[next(iter(_kept))]
    script_run.rerun()
