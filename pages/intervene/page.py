"""Intervene: attention is not a cause, so change something and see what comes of it."""

import streamlit as st

from pages.intervene import edit_state, effects, form, outcomes, result, suggestions
from pages.intervene.change_list import changes
from pages.shared.changes import in_link
from pages.shared.layout import page
from pages.shared.layout.tour import Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun, Ended, read
from pages.shared.text.words import words
from pages.shared.ui import controls, show

page.head(
    "intervene",
    tour=(
        Stop("intervene_tour.wall", "figure_result", {"what": None, "show": "effect"}),
        Stop("intervene_tour.list", "figure_list", {"changes": in_link.example()}),
        Stop("intervene_tour.result", "figure_result", {"changes": in_link.example(), "show": None}),
        Stop("intervene_tour.effect", "figure_result", {"show": "effect"}),
        Stop("intervene_tour.patching", "figure_result", {"show": "patching"}),
    ),
)


def interventions(current_run: CurrentRun) -> None:
    """What is changed, and what comes of it."""
    model_notices.missing_kinds(current_run)
    model_notices.untrained(current_run)
    state = edit_state.read(current_run)
    with page.columns(6, 5) as (left, right):
        with left, page.card("figure_change", words("intervene_form.title")):
            place = form.form(state)
        with right, page.card("figure_list", words("intervene_list.title")):
            both = outcomes.outcomes(state)
            if both is not None:
                result.outputs(state, *both)
            changes(state)
    with page.card("figure_result", words("intervene_result.title")):
        if both is None:
            raise Ended
        before, after = both
        if not state.spelled:
            suggestions.example(state)
        titles = result.titles(state)
        # the maps need no change: without one they are what there is to see
        tab = controls.choice(
            "show", words("intervene.show"), titles, "probability" if state.spelled else "effect", hidden=True
        )
        show.caption(result.about(state, tab))
        with page.tab_container("intervene", tab):
            if tab == "effect":
                effects.effects(state)
            elif tab == "patching":
                effects.patching(state)
            elif not state.spelled:
                show.text(words("intervene_example.needed"))
            elif tab == "probability":
                result.probabilities(state, before, after)
            elif tab == "attention":
                result.attention(state, before, after, place)
            else:
                result.candidates(state, before, after)
    if place and tab != "effect":  # whose maps hold every head already
        with st.container(key="figure_heads"):
            form.heads(state, place, switch=tab != "attention" or not state.spelled)  # which has it
    suggestions.try_this(state)


page.fragment(interventions, read())
