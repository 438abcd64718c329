"""The six changes as switches, the layer that they make, its cost beside that of 2017, and its training."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st
import torch

from model.decode.cache_cost import Work, work
from model.train import modern
from model.train import settings as run_settings
from model.transformer import Transformer
from model.weights import count_parameters
from pages.llm.stack import stacks
from pages.shared.layout import page
from pages.shared.session import address
from pages.shared.text.words import section, words
from pages.shared.ui import controls
from viz.html.blocks import stacks_html

READ, WRITTEN = 10, 10  # tokens of the source and of the output so far, in the cost of the next token
POSITIONS = 64  # no method here has parameters for them
CONTROLS = {"steps": "training_steps", "seed": "training_seed"}  # fields whose control on /train has another name


def chosen() -> frozenset[str]:
    """Draw the switches; the changes that are on."""
    texts, about = section("llm_change"), section("llm_short")
    on = set()
    for change in modern.CHANGES:
        with st.container(gap=None, key=f"change_{change.name}"):
            if controls.toggle(change.name, words("llm.since", change=texts[change.name], year=change.year)):
                on.add(change.name)
            st.caption(about[change.name])
    return frozenset(on)


def figure() -> None:
    """The switches beside the layer; below them what it costs."""
    with page.card("figure_switches", words("llm.switches_title")):
        with page.columns(2, 3) as (left, right):
            with left:
                on = chosen()
            settings = modern.settings(on)
            with right:
                st.html(stacks_html(stacks(settings, on), words("llm.stack")))
        _costs(on)
        with st.container(horizontal=True, vertical_alignment="center", key="llm_go"):
            st.page_link(
                address.script_of("train"), label=words("llm.train"), query_params=_run(settings), width="content"
            )
            st.caption(words("llm.train_hint", steps=f"{settings.steps:,}"))


@lru_cache(maxsize=64)
def cost(on: frozenset[str]) -> tuple[int, int, Work]:
    """Parameters, numbers in the cache for each token, and multiplications for the next one."""
    settings = modern.settings(on)
    config = run_settings.shape(settings, run_settings.PIECES, POSITIONS)
    with torch.device("meta"):
        parameters = count_parameters(Transformer(config))["total"]
    cached = 2 * config.decoder_layers * config.kv_heads * config.d_k
    read, source = (READ + WRITTEN, 0) if settings.alone else (WRITTEN, READ)
    return parameters, cached, work(config, 1, read, source, first=False)


def _costs(on: frozenset[str]) -> None:
    """Three numbers, each with its difference from 2017."""
    before, after = cost(frozenset()), cost(on)
    with st.container(horizontal=True, key="costs"):
        for name, old, new in (
            ("parameters", before[0], after[0]),
            ("cached", before[1], after[1]),
            ("products", before[2].total, after[2].total),
        ):
            change = f"{new / old - 1:+.0%}" if new != old else None
            st.metric(words(f"llm.{name}"), f"{new:,}", change, delta_color="inverse")
    st.caption(words("llm.costs_hint", read=READ, written=WRITTEN))


def _run(settings: run_settings.RunSettings) -> dict[str, str]:
    """The settings of /train that are not those of its task."""
    usual = run_settings.DEFAULTS[settings.task]
    changed = {
        name: value for name, value in vars(settings).items() if value != getattr(usual, name) and name != "task"
    }
    spelled = {CONTROLS.get(name, name): _spelled(value) for name, value in changed.items()}
    return address.offer("train") | {"task": settings.task} | spelled


def _spelled(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)
