"""Intervene: attention is not a cause, so change something and see what comes of it."""

import streamlit as st

from pages.shared import controls, explain, intervene, intervene_effect, intervene_result, intervene_try, page, take
from pages.shared.intervene_form import form
from pages.shared.intervene_list import changes
from pages.shared.page import Stop
from pages.shared.reading import Ended, read
from pages.shared.words import words

page.head(
    "intervene",
    tour=(
        Stop("intervene_tour.wall", "figure_change", {"what": None}),
        Stop("intervene_tour.list", "figure_list", {"changes": intervene.example()}),
        Stop("intervene_tour.result", "figure_result", {"changes": intervene.example(), "show": None}),
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
    if not bench.spelled:
        intervene_try.example(bench)
    titles = intervene_result.titles(bench)
    # the maps need no change: without one they are what there is to see
    show = controls.choice(
        "show", words("intervene.show"), titles, "probability" if bench.spelled else "effect", hidden=True
    )
    st.caption(intervene_result.about(bench, show))
    with page.place("intervene", show):
        if show == "effect":
            intervene_effect.effects(bench)
        elif show == "patching":
            intervene_effect.patching(bench)
        elif not bench.spelled:
            st.text(words("intervene_example.needed"))
        elif show == "probability":
            intervene_result.probabilities(bench, before, after)
        elif show == "attention":
            intervene_result.attention(bench, before, after, place)
        else:
            intervene_result.candidates(bench, before, after)
intervene_try.try_this(bench)
take.link()
