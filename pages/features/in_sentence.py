"""The sentence in features: those of one token as tiles, and the one in view."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.features import cached_features, feature_names, one_feature
from pages.features.cached_features import Source
from pages.shared.layout import page
from pages.shared.models import spoken
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import script_run, view
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls, show, token_picker
from viz.html.features import feature_html
from viz.html.plain_table import table_html
from viz.standalone.document import Table


def figures(current_run: CurrentRun, source: Source) -> None:
    """A token, its active features beside each other, and one of them large."""
    with page.card("figure_sentence", words("features_sentence.title"), words("features_sentence.about")):
        tokens = cached_features.tokens(source, current_run)
        token = token_picker.longest_first("token", words("features_sentence.token"), tokens)
        _start_over(token)
        features, strengths = (each[token] for each in cached_features.active(source, current_run.sentence))
        with page.columns(2, 3) as (left, right):
            with left:
                feature = _any(source, int(features[0]))
                _tiles(source, feature, features, strengths)
            with right, st.container(key="figure_feature"):
                one_feature.figures(source, feature)


def _start_over(token: int) -> None:
    """Begin with the strongest feature where the user went to another token."""
    if view.kept("token") not in (None, str(token)) and not script_run.current().by_link:
        view.forget("feature")
    view.keep(token=str(token))


def _any(source: Source, strongest: int) -> int:
    """A list of all features, in which typing finds one; it names the one in view."""
    titles = feature_names.titles(source)
    return controls.select("feature", words("features_sentence.feature", count=len(titles)), titles, strongest)


def _tiles(source: Source, feature: int, features: np.ndarray, strengths: np.ndarray) -> None:
    """A tile for each active feature, strongest first; a click shows it."""
    maxima = cached_features.maxima(source)
    shown = [(int(f), float(s)) for f, s in zip(features, strengths, strict=True) if s > 0]
    rows = []
    with st.container(key="shelf"):
        for number, (each, strength) in enumerate(shown):
            with st.container(border=True, key="tile_chosen" if each == feature else f"tile_{number}"):
                name, examples = feature_names.title(source, each), cached_features.snippets(source, each)
                share = strength / max(float(maxima[each]), strength)
                st.html(spoken.mark(feature_html(name, f"{strength:.1f}", share, examples)))
                st.button(plain(name), key=f"pick_{number}", on_click=view.choose, kwargs={"feature": each})
                texts = " / ".join("".join(each.token for each in example).strip() for example in examples)
                rows.append((name, f"{strength:.1f}", texts))
    heads = [words(f"features_sentence.{name}") for name in ("name", "strength", "examples")]
    show.keep(lambda: [Table(table_html(heads, rows))])
