"""The way to the live page of this server, where a model learns in the user's own browser."""

from __future__ import annotations  # the module that one of them names loads torch

from urllib.parse import urlencode

import streamlit as st

from corpora.tasks.user_table import Own
from model.checkpoint import catalogue
from model.train.browser import ready
from pages.shared.classroom import my_class
from pages.shared.models import current
from pages.shared.session import base_path
from pages.shared.session.view import language
from pages.shared.text.words import words
from pages.shared.ui.downloads.drawn import LIVE


def offer(task: str) -> None:
    """The link, for a task that can be learned there; nothing for others."""
    taught = [*(name for each in ready.KINDS.values() for name in each.tasks), Own.name]
    models = catalogue.sentence_models()
    if task not in taught or not models:
        return
    # the page shows a model, too: the smallest that fits
    shown = models.get(task) or models.get(taught[0]) or current.first(models)
    choices = urlencode({"language": language(), "task": task})
    me = my_class.membership()
    in_class = me is not None and not me.teacher and not me.ended
    room = f"?class={me.code}" if me and in_class else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="here_row"):
        st.link_button(words("train.here"), f"{base_path.base()}{LIVE}/{shown.name}/{room}#train?{choices}")
        hint = "train.here_hint_class" if in_class else "train.here_hint"
        st.text(words(hint, limit=_limit(task), steps=f"{_kind(task).steps:,}"), width="content")


def _kind(task: str) -> ready.Kind:
    """A reader's own pairs are learned like words."""
    return ready.kind_of("reverse" if task == Own.name else task)


def _limit(task: str) -> str:
    """What a model there learns from, at most."""
    kind = _kind(task)
    if kind.name == "text":
        return words("train.here_text", letters=ready.LONGEST)
    if kind.name == "letters":
        return words("train.here_words", letters=ready.LETTERS)
    return words("train.here_pairs", pairs=f"{kind.pairs:,}")
