"""The dictionary in view: one that is stored beside the model, or the one that the user has trained."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.jobs.types import Progress
from model.measurements import dictionaries
from pages.features import cached_features
from pages.features.cached_features import Source
from pages.shared.layout import page
from pages.shared.models import current
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.notices import plain
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls, folder_command, run_progress

OWN = "own"  # the site's name in a link for the dictionary that the user has trained


def with_dictionary(draw: Callable[[CurrentRun, Source], None]) -> Callable[[CurrentRun], None]:
    """A tab that needs a dictionary of the model in view; where there is none, it says how to make one."""

    def tab(current_run: CurrentRun) -> None:
        sources = _sources(current_run.entry)
        if not sources:
            _missing(current_run)
            return
        name = next(iter(sources))
        if len(sources) > 1:
            titles = {each: words("features.own") if each == OWN else each for each in sources}
            name = controls.choice("site", words("features.site"), titles, name)
        try:
            with st.spinner(words("features.reading"), show_time=False):
                cached_features.stored(sources[name])
        except InvalidInput as error:
            notices.say("warning", refusal(error))
            return
        draw(current_run, sources[name])

    return tab


def _sources(entry: catalogue.Entry) -> dict[str, Source]:
    """Every dictionary of a model that this user may look at, by the name in a link."""
    sources = cached_features.sources(entry)
    progress = run_of(entry)
    if progress is not None and progress.moments:
        mark = f"{progress.id} {progress.moments[-1]}"
        sources[OWN] = Source(entry, progress.settings.site, mark, progress.id)
    return sources


def _missing(current_run: CurrentRun) -> None:
    """The command that makes a dictionary of the model in view, and a model that has one."""
    entry = current_run.entry
    about = words("features.missing", name=plain(entry.name))
    with page.card("figure_missing", words("features.missing_title"), about):
        command = dictionaries.MEASUREMENT.saving(entry.name)
        folder_command.say(entry, words("features.command"), command, words("features.no_command"))
        having = {name: each for name, each in catalogue.sentence_models().items() if cached_features.sources(each)}
        if having:
            other = current.first(having).name
            label = words("features.other", name=plain(other))
            st.button(label, key="other_model", on_click=view.choose, kwargs={"checkpoint": other, "sentence": None})


def run_of(entry: catalogue.Entry) -> Progress | None:
    """The user's last run, without its reports, if it is one on this model; None without one."""
    progress = None if isinstance(entry, catalogue.Untrained) else run_progress.last()
    return progress if progress and progress.settings.folder == str(entry.folder) else None
