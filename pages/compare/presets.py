"""Comparisons that are ready: small models of one task and data that differ in one choice, and a model with itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from model.checkpoint import catalogue
from model.train import run_settings
from pages.compare import sides
from pages.compare.pair import Pair, moments
from pages.shared.changes import in_link
from pages.shared.layout import tour
from pages.shared.links import END, FRESH, START
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.numbers import percent

FIGURE = "figure_outputs"


@dataclass(frozen=True)
class Ready:
    """Two models, and what to look at first."""

    a: str
    b: str
    show: str


_POSITIONS = ("reverse", "reverse-learned", "reverse-no-position")
READY = {
    "norm": Ready("reverse", "reverse-post-norm", "curves"),
    "two_heads": Ready("spread-one-head", "spread", "attention"),
    "heads": Ready("addition-one-head", "addition", "words"),
    "learned": Ready(*_POSITIONS[:2], "curves"),
    "no_position": Ready(_POSITIONS[0], _POSITIONS[2], "words"),
    "learned_or_none": Ready(*_POSITIONS[1:], "words"),
}
GROUPS = (_POSITIONS,)  # whose curves are drawn together


def buttons(current_run: CurrentRun) -> None:
    """A button for each that can be shown; one whose checkpoints are not there is not offered."""
    entries = sides.others()
    other = view.setting("other") or sides.default(entries, current_run.entry)
    with st.container(horizontal=True, gap="small", key="ready", vertical_alignment="center"):
        st.caption(words("compare.ready"), width="content")
        for key, ready in READY.items():
            if ready.a in entries and ready.b in entries:
                choices = {"checkpoint": ready.a, "sentence": None, "other": ready.b, "show": ready.show}
                _button(key, FRESH | choices, in_view=(current_run.entry.name, other) == (ready.a, ready.b))
        itself = {"other": current_run.entry.name}
        alone = _with_itself() if other == current_run.entry.name else ""
        if len(moments(current_run.entry)) > 1:
            at_start = itself | {"other_moment": START, "show": None}
            _button("training", FRESH | at_start, in_view=alone == "training")
        with_change = itself | {"other_moment": END, "other_changes": in_link.example(), "show": "words"}
        _button("change", FRESH | with_change, in_view=alone == "change")


def _with_itself() -> str:
    """Which of the two comparisons of a model with itself is in view: of its training, of a change, or neither."""
    key, moment = ("change", END) if view.setting("other_changes") else ("training", START)
    at_end = (view.setting("moment") or END) == END
    return key if at_end and (view.setting("other_moment") or moment) == moment else ""


def _button(key: str, choices: dict[str, object], in_view: bool) -> None:
    st.button(
        words(f"compare_ready.{key}"), key=f"ready_{key}", type="primary" if in_view else "secondary",
        on_click=tour.apply_preset, args=("try", choices, FIGURE),
    )  # fmt: skip


def about(pair: Pair) -> None:
    """Explain a ready comparison, whichever model is A, with the door to a run of one's own."""
    entries = {side.entry.name: side.entry for side in pair.sides}
    for key, ready in READY.items():
        if entries.keys() == {ready.a, ready.b}:
            with st.container(horizontal=True, key="ready_about", vertical_alignment="center"):
                scores = {"a": _exact(entries[ready.a]), "b": _exact(entries[ready.b])}
                show.text(words(f"compare_ready_about.{key}", **scores))
                if st.button(words("compare.train"), key="train"):
                    address.open_page("train", **train_settings(entries[ready.b]))


def train_settings(entry: catalogue.Entry) -> dict[str, object]:
    """The settings with which /train makes a model like this one, but for the number of steps."""
    run = run_settings.RunSettings(**entry.card["run"])
    usual = replace(run_settings.DEFAULTS[run.task], steps=run.steps)
    return {"task": run.task} | run_settings.changed(run, usual)


def _exact(entry: catalogue.Entry) -> str:
    """Share of its held-out cases that a model gets right, from its card."""
    [score] = entry.card["scores"].values()
    return percent(score["exact"], 1)


def beside(pair: Pair) -> list[str]:
    """Further models whose curves belong to those of the two."""
    names = [side.entry.name for side in pair.sides]
    for group in GROUPS:
        if set(names) <= set(group):
            return [name for name in group if name not in names and name in sides.others()]
    return []
