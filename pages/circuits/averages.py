"""The effect of removing each part of the model, the mean over many sentences, with its interval."""

from __future__ import annotations

import streamlit as st

from model.circuits import ablation
from pages.circuits import measured
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import charts, controls
from viz.charts import circuits as drawn

MOST = 24  # bars


def figures(current_run: CurrentRun) -> None:
    """A bar for each part, the most needed first."""
    with page.card("figure_averages", words("circuits.averages_title"), words("circuits.averages_about")):
        titles = {way: words(f"circuits_way.{way}") for way in ablation.WAYS}
        way = controls.choice("way", words("circuits.way"), titles, "zero", hidden=True)
        st.caption(words(f"circuits_way_about.{way}"))
        found = measured.effects(current_run.entry, way)
        if found is None:
            return
        sentences, effects = found
        if not effects or not sentences:
            st.text(words("circuits.nothing"))
            return
        named = sorted(
            ((name_of(part), effect.mean, effect.low, effect.high) for part, effect in effects.items()),
            key=lambda each: each[1],
        )
        certain = sum(effect.high < 0 for effect in effects.values())
        st.text(words("circuits.certain", certain=certain, count=len(effects), sentences=sentences))
        texts = section("circuits_chart")
        charts.chart("ablations", drawn.effects_chart(named[:MOST], texts), lambda: drawn.effects_rows(named))
        if measured.recorded(current_run.entry) is None:
            st.caption(words("circuits.live"))
            st.code(f".venv/bin/python -m model ablation {current_run.entry.name} --save", language="sh")


def name_of(part: str) -> str:
    """`cross.1.0` as a user reads it."""
    kind, layer, what = part.split(".")
    if what == "feed_forward":
        return words("circuits.feed_forward", side=words(f"circuits.{kind}_side"), layer=layer)
    return words(
        "attention_figure.head_name", kind=words(f"attention_figure.{kind}"), layer=layer, head=what
    )  # fmt: skip
