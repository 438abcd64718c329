"""Intervene: attention is not a cause, so change something and see what comes of it."""

import streamlit as st

from pages.shared import controls, explain, intervene, intervene_effect, intervene_result, page, take
from pages.shared.intervene_form import form
from pages.shared.intervene_list import changes
from pages.shared.intervene_try import try_this
from pages.shared.page import Stop
from pages.shared.reading import Ended, read
from pages.shared.words import section, words

page.head(
    "intervene",
    tour=(
        Stop("intervene_tour.wall", "figure_change", {"what": None}),
        Stop("intervene_tour.list", "figure_list"),
        Stop("intervene_tour.result", "figure_result", {"show": None}),
        Stop("intervene_tour.effect", "figure_result", {"show": "effect"}),
        Stop("intervene_tour.patching", "figure_result", {"show": "patching"}),
    ),
)
reading = read()
explain.missing_kinds(reading)
explain.untrained(reading)
bench = intervene.bench(reading)
with st.container(border=True, key="figure_change"):
    st.header(words("intervene_form.title"), anchor=False)
    place = form(bench)
with st.container(border=True, key="figure_list"):
    st.header(words("intervene_list.title"), anchor=False)
    changes(bench)
with st.container(border=True, key="figure_result"):
    st.header(words("intervene_result.title"), anchor=False)
    if (outcomes := intervene.outcomes(bench)) is None:
        raise Ended
    before, after = outcomes
    intervene_result.outputs(bench, before, after)
    titles = section("intervene_show")
    show = controls.choice("show", words("intervene.show"), titles, "probability", hidden=True)
    st.caption(words(f"intervene_about.{show}"))
    if show == "probability":
        intervene_result.probabilities(bench, before, after)
    elif show == "attention":
        intervene_result.attention(bench, before, after, place)
    elif show == "candidates":
        intervene_result.candidates(bench, before, after)
    elif show == "effect":
        intervene_effect.effects(bench)
    else:
        intervene_effect.patching(bench)
try_this(bench)
take.link()
