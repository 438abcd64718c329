"""The saved moments of a run, for the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from model.tokenizer import SPECIALS
from pages.shared import train_jobs
from viz.attention import KINDS, AttentionPanel

if TYPE_CHECKING:
    from model.moments import Look, Moment


@st.cache_resource(max_entries=64, show_spinner=False)
def moment(id_: str, step: int) -> Moment:
    """A saved moment without its weights, which no figure needs."""
    from dataclasses import replace

    return replace(train_jobs.jobs().result(id_).moment(step), weights={})


def look_panels(look: Look) -> list[AttentionPanel]:
    """What the watched sentence looked at, labelled as on every page."""
    rows = {"encoder": look.source_tokens, "decoder": look.target_tokens, "cross": look.output_tokens}
    columns = {"encoder": look.source_tokens, "decoder": look.target_tokens, "cross": look.source_tokens}
    return [
        AttentionPanel(
            kind=kind,
            weights=look.weights[kind].astype(np.float32),
            queries=rows[kind],
            keys=columns[kind],
            query_specials=tuple(token in SPECIALS for token in rows[kind]),
            key_specials=tuple(token in SPECIALS for token in columns[kind]),
            read=look.target_tokens if kind == "cross" else (),
        )
        for kind in KINDS
        if kind in look.weights
    ]
