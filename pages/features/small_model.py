"""The toy before the dictionary: five features in two dimensions, and what their sparsity makes of the directions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import streamlit as st

from model.features import toy
from pages.features import cached_features
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.embedding import number_wave_charts
from viz.numbers import percent

FIRST = 0.9


def figure(current_run: CurrentRun) -> None:
    """A slider for the sparsity, and the five directions in the plane."""
    with page.card("figure_toy", words("features_toy.title"), words("features_toy.about")):
        with page.columns(2, 3) as (left, right):
            with left:
                sparsity = controls.steps("sparsity", words("features_toy.sparsity"), toy.SPARSITIES, FIRST, percent)
                with st.spinner(words("features_toy.training"), show_time=False):
                    directions = cached_features.toy_directions(sparsity)
                show.text(_says(directions))
                page.formula("toy_model")
            with right:
                _plane(directions)
        show.caption(words("features_toy.bridge", size=current_run.entry.config.d_model))


def _plane(directions: np.ndarray) -> None:
    angles = np.degrees(np.arctan2(directions[:, 1], directions[:, 0])) % 360
    texts = section("features_toy_chart")
    chart = number_wave_charts.circle_chart(directions, angles, range(len(angles)), texts, opacity=1.0)
    show.figure("features-toy", chart, width="content")


def _says(directions: np.ndarray) -> str:
    """How the features use the two dimensions."""
    counts = Counter(toy.regimes(directions))
    left_out = counts.pop("none", 0)
    (regime, count), *_ = counts.most_common(1)
    key = {"dedicated": "features_toy.dedicated", "pairs": "features_toy.pairs", "shared": "features_toy.shared"}
    return words(key[regime], count=count, left_out=left_out)
