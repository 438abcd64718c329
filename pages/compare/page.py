"""Compare: two models, one sentence; what each writes, where it looks, how it learned, and what it is."""

import streamlit as st

from pages.compare import presets, sides, views
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import read
from pages.shared.text.words import words

page.head(
    "compare",
    tour=(
        Stop("compare_tour.sides", "figure_outputs"),
        Stop("compare_tour.attention", "figure_closer", {"show": None}),
        Stop("compare_tour.words", "figure_closer", {"show": "words"}),
        Stop("compare_tour.layers", "figure_closer", {"show": "layers"}),
    ),
)
current_run = read()
model_notices.untrained(current_run)
presets.buttons(current_run)
with page.card("figure_outputs", words("compare.title")):
    pair = sides.choose(current_run)
    presets.about(pair)
    sides.outputs(pair)
with st.container(border=True, key="figure_closer"):
    views.closer(current_run, pair)
tour.try_this(views.steps(pair))
