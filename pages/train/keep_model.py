"""Keeping the model of a run: for every page of this user, and as a file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from model.build import keep_run
from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.shared.layout import page
from pages.shared.links import FRESH, START
from pages.shared.models import current, own_models
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.runs import TrainState
from pages.shared.session import address, script_run
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui.downloads import file_menu

_names: dict[str, str] = {}  # run -> the name of its model, for all sessions: a user who reloads has kept it already
_MOST = 1000


def keep(state: TrainState, run: Progress) -> None:
    """The model for every page of this session, and as a file."""
    with page.card("figure_keep", words("train_keep.title")):
        name = _names.get(run.id, "")
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
            file_menu.checkpoint(current.models()[name])


def _keep(run: Progress) -> None:
    queue = run_queue.jobs()
    result = queue.result(run.id)
    snapshots = [result.moment(step) for step in result.moments]
    reports = queue.progress(run.id).reports
    with st.spinner(words("train_keep.writing")), tempfile.TemporaryDirectory() as folder:
        task = run.settings.task
        try:
            name = own_models.add(keep_run.keep_run(Path(folder) / task, run.settings, reports, snapshots))
        except InvalidInput as error:
            notices.say("warning", refusal(error))
            return
    _names[run.id] = name
    if len(_names) > _MOST:
        del _names[next(iter(_names))]
    script_run.rerun()
