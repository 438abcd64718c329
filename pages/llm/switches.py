"""The six changes as switches, the layer that they make, its cost beside that of 2017, and its training."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from corpora import task_list
from model.train import llm_changes, run_settings
from pages.llm.stack import stacks
from pages.shared.layout import page
from pages.shared.session import address, view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.html.blocks import stacks_html
from viz.numbers import signed_percent

CONTROLS = {"steps": "training_steps", "seed": "training_seed"}  # fields whose control on /train has another name


def chosen() -> frozenset[str]:
    """Draw the switches; the changes that are on."""
    texts, about = section("llm_change"), section("llm_short")
    on = set()
    for change in llm_changes.CHANGES:
        with st.container(gap=None, key=f"change_{change.name}"):
            if controls.toggle(change.name, words("llm.since", change=texts[change.name], year=change.year)):
                on.add(change.name)
            show.caption(about[change.name])
    return frozenset(on)


def figure() -> None:
    """The switches beside the layer and what it costs."""
    with page.card("figure_switches", words("llm.switches_title")):
        with page.columns(2, 3) as (left, right):
            with left:
                on = chosen()
            settings = llm_changes.settings(on)
            with right:
                _costs(on)
                show.table(stacks_html(stacks(settings, on), words("llm.stack")))
        show.caption(words("llm.costs_hint", read=llm_changes.READ, written=llm_changes.WRITTEN))
        with st.container(horizontal=True, vertical_alignment="center", key="llm_go"):
            st.page_link(
                address.script_of("train"), label=words("llm.train"), query_params=_run(settings), width="content"
            )
            show.caption(words("llm.train_hint", steps=f"{settings.steps:,}"))


def _costs(on: frozenset[str]) -> None:
    """Three numbers, each with its difference from 2017."""
    before, after = llm_changes.cost(frozenset()), llm_changes.cost(on)
    with st.container(horizontal=True, key="costs"):
        for name in ("parameters", "cached", "products"):
            old, new = getattr(before, name), getattr(after, name)
            change = signed_percent(new / old - 1, 0) if new != old else None
            st.metric(words(f"llm.{name}"), f"{new:,}", change, delta_color="inverse")


def _run(settings: run_settings.RunSettings) -> dict[str, str]:
    """The settings of /train that are not those of its task, which translates from the user's language."""
    task = task_list.grammar_for(view.language())
    changes = run_settings.changed(replace(settings, task=task), run_settings.DEFAULTS[task])
    texts = {CONTROLS.get(name, name): view.spelled(value) for name, value in changes.items()}
    return address.offer("train") | {"task": task} | texts
