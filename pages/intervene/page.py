"""Intervene: attention is not a cause, so change something and see what comes of it."""

import streamlit as st

from pages.intervene import effects, result, suggestions, workbench
from pages.intervene.change_list import changes
from pages.intervene.form import form
from pages.shared.changes import in_link
from pages.shared.layout import page
from pages.shared.layout.tour import Stop
from pages.shared.models import notes
from pages.shared.models.sentence import Ended, read
from pages.shared.text.words import words
from pages.shared.ui import controls, export

page.head(
    "intervene",
    tour=(
        Stop("intervene_tour.wall", "figure_change", {"what": None}),
        Stop("intervene_tour.list", "figure_list", {"changes": in_link.example()}),
        Stop("intervene_tour.result", "figure_result", {"changes": in_link.example(), "show": None}),
        Stop("intervene_tour.effect", "figure_result", {"show": "effect"}),
        Stop("intervene_tour.patching", "figure_result", {"show": "patching"}),
    ),
)
current_run = read()
notes.missing_kinds(current_run)
notes.untrained(current_run)
bench = workbench.bench(current_run)
with st.container(border=True, key="figure_change"):
    st.header(words("intervene_form.title"), anchor=False)
    place = form(bench)
with st.container(border=True, key="figure_list"):
    st.header(words("intervene_list.title"), anchor=False)
    changes(bench)
with st.container(border=True, key="figure_result"):
    st.header(words("intervene_result.title"), anchor=False)
    if (outcomes := workbench.outcomes(bench)) is None:
        raise Ended
    before, after = outcomes
    result.outputs(bench, before, after)
    if not bench.spelled:
        suggestions.example(bench)
    titles = result.titles(bench)
    # the maps need no change: without one they are what there is to see
    show = controls.choice(
        "show", words("intervene.show"), titles, "probability" if bench.spelled else "effect", hidden=True
    )
    st.caption(result.about(bench, show))
    with page.place("intervene", show):
        if show == "effect":
            effects.effects(bench)
        elif show == "patching":
            effects.patching(bench)
        elif not bench.spelled:
            st.text(words("intervene_example.needed"))
        elif show == "probability":
            result.probabilities(bench, before, after)
        elif show == "attention":
            result.attention(bench, before, after, place)
        else:
            result.candidates(bench, before, after)
suggestions.try_this(bench)
export.link()
