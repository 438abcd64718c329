"""Decoding: how a sentence comes out one word at a time, and what happens if another word is forced."""

import streamlit as st

from pages.decoding import beam, branch_tree, sampling, scoring, step, timeline
from pages.decoding.branches import ended
from pages.decoding.decoding_controls import decoding, writes
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text.words import words
from pages.shared.ui import controls, show

VIEWS = {
    "attention": step.attention,
    "cache": step.cache,
    "inside": step.inside,
    "sampling": sampling.sampling,
    "beam": beam.beam,
    "given": scoring.judge,
}


def figures(current_run: CurrentRun) -> None:
    """The output step by step, the chosen step closely, and what to try with this sentence."""
    with st.container(border=True, key="figure_steps"):
        state = decoding(current_run)
        if state:
            timeline.player(state)
    if not state:
        return
    if len(state.branches) > 1:
        branch_tree.outputs(state)
    with st.container(border=True, key="figure_step"):
        names = {name: words(f"decoding_view.{name}") for name in VIEWS}
        tab = controls.choice("view", words("decoding.view"), names, "attention", hidden=True)
        show.header(words(f"decoding_title.{tab}"))
        show.caption(words(f"decoding_hint.{tab}"))
        with page.tab_container("decoding", tab):
            VIEWS[tab](state)
    page.land_on("figure_step", "view")
    steps = {
        "decoding_try.sample": Step(
            "figure_step", {"way": "sample", "temperature": 2.0, "top_k": 20, "top_p": 1.0, "view": "sampling"}
        ),
        "decoding_try.beam": Step("figure_step", {"view": "beam", "beam": 4, "alpha": 0.0}),
        "decoding_try.given": Step("figure_step", {"view": "given"}),
    }
    if end := ended(state, 2):
        steps["decoding_try.end"] = Step("figure_forks", end)
    tour.try_this(steps)


page.head(
    "decoding",
    tour=(
        Stop("decoding_tour.steps", "figure_steps"),
        Stop("decoding_tour.attention", "figure_step", {"view": None}),
        Stop("decoding_tour.cache", "figure_step", {"view": "cache", "step": 3}),
        Stop("decoding_tour.inside", "figure_step", {"view": "inside"}),
        Stop("decoding_tour.beam", "figure_step", {"view": "beam"}),
    )
    if writes()
    else (),
)
run_in_view = read()
model_notices.untrained(run_in_view)
page.fragment(figures, run_in_view)
