"""Compare: two models, one sentence; what each writes, where it looks, how it learned, and what it is."""

import streamlit as st

from pages.shared import compare_ready, compare_sides, compare_view, explain, page, take
from pages.shared.page import Stop
from pages.shared.reading import read
from pages.shared.words import words

page.head(
    "compare",
    tour=(
        Stop("compare_tour.sides", "figure_outputs"),
        Stop("compare_tour.attention", "figure_closer", {"show": None}),
        Stop("compare_tour.words", "figure_closer", {"show": "words"}),
        Stop("compare_tour.layers", "figure_closer", {"show": "layers"}),
    ),
)
reading = read()
explain.untrained(reading)
compare_ready.buttons(reading)
with st.container(border=True, key="figure_outputs"):
    st.header(words("compare.title"), anchor=False)
    pair = compare_sides.choose(reading)
    compare_ready.about(pair)
    compare_sides.outputs(pair)
with st.container(border=True, key="figure_closer"):
    compare_view.closer(reading, pair)
page.try_this(compare_view.steps(pair))
take.link()
