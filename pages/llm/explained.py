"""Explanation of one change: what it does and why, its formula, and the page where its trained model shows it."""

from __future__ import annotations

import streamlit as st

from model.train import llm_changes
from pages.llm import series
from pages.shared.layout import page
from pages.shared.session import address
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show

FORMULAS = {
    "pre_norm": "stream_pre",
    "rms_norm": "layer_norm_rms",
    "gated": "feed_forward_gated",
    "rotary": "score_rotary",
}
# where the change can be seen, with the settings there
DOORS: dict[str, tuple[str, dict[str, str]]] = {
    "decoder_only": ("masks", {}),
    "pre_norm": ("layers", {"show": "residual"}),
    "rms_norm": ("layers", {"show": "norm"}),
    "gated": ("layers", {"show": "feed_forward"}),
    "rotary": ("position", {"show": "methods", "method": "rotary"}),
    "grouped": ("decoding", {"view": "cache"}),
}


def figure() -> None:
    """One change at a time."""
    with page.card("figure_explained", words("llm.explained_title")):
        name = controls.choice("about", words("llm.about"), section("llm_change"), llm_changes.NAMES[0], hidden=True)
        show.text(words(f"llm_about.{name}"))
        if name in FORMULAS:
            page.formula(FORMULAS[name])
        door, choices = DOORS[name]
        entry = series.entry_with(name)
        if entry is not None:
            label = words("llm.see", name=entry.name, page=words(f"pages.{door}"))
            query = address.offer(door) | choices | {"checkpoint": entry.name}
            st.page_link(address.script_of(door), label=label, query_params=query)
