"""Attention: every head at a glance, the chosen one large, and what can be worked out of it."""

import streamlit as st

from model.config import BIASES
from model.trace import ATTENTION_KINDS
from pages.attention.arithmetic import arithmetic
from pages.attention.measures import comparable, likeness, looks_back, measures, rollout
from pages.attention.scaling import scale
from pages.attention.several_heads import several_heads
from pages.attention.stages import stage_by_stage
from pages.attention.why_there import why_there
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.session import address
from pages.shared.text.words import words
from pages.shared.ui import attention_figure, controls, head_picker, show
from pages.shared.ui.switches import value_switch, word_switch

VIEWS = {
    "stages": stage_by_stage,
    "heads": several_heads,
    "scale": scale,
    "cell": arithmetic,
    "there": why_there,
    "measures": measures,
    "rollout": rollout,
    "similarity": likeness,
}
OF_WORDS = ("rollout",)  # what is shown between whole words too
OF_WEIGHTS = ("measures", "rollout", "similarity")  # what needs no more than a recording has


def _views(current_run: CurrentRun) -> list[str]:
    """Views that can be worked out of the heads that are there."""
    if not current_run.is_recording:
        return list(VIEWS)
    kinds = set(current_run.trace.kinds)
    lacking = {"rollout"} if kinds == {"cross"} else set()
    if not any(comparable(current_run, kind) for kind in kinds):
        lacking.add("similarity")
    return [name for name in OF_WEIGHTS if name not in lacking]


def heads(current_run: CurrentRun) -> None:
    """All of them, the chosen one large, and what can be worked out of it."""
    picked = head_picker.pick_head(current_run, candidates=ATTENTION_KINDS)
    with st.container(key="kind_about"):
        show.terms(words(f"attention_kind_about.{picked.kind}"), "attention-kind", "caption")
    attention_figure.of_run(current_run, picked.look("matrix"))
    if not current_run.is_recording:
        st.page_link(address.script_of("why"), label=words("attention.why"), query_params=address.offer("why"))
    page.flush()
    with st.container(border=True, key="figure_closer"):
        names = {name: words(f"attention_view.{name}") for name in _views(current_run)}
        tab = controls.choice("view", words("attention.view"), names, next(iter(names)), hidden=True)
        show.header(words(f"attention_title.{tab}"))
        show.caption(words(f"attention_hint.{tab}"))
        if tab not in OF_WORDS:
            word_switch.kept()
        value_switch.kept(current_run)
        with page.tab_container("attention", tab):
            VIEWS[tab](current_run, picked)
    page.land_on("figure_closer", "view")


page.head(
    "attention",
    tour=(
        Stop("attention.tour_wall", "attention"),
        Stop("attention.tour_stages", "figure_closer", {"view": "stages", "stage": "softmax"}),
        Stop("attention.tour_cell", "figure_closer", {"view": "cell"}),
        Stop("attention.tour_measures", "figure_closer", {"view": "measures", "measure": "entropy"}),
    ),
)
run_in_view = read(recordings=True)
model_notices.missing_kinds(run_in_view)
page.fragment(heads, run_in_view)
if run_in_view.entry.config.position in BIASES:
    page.formula("scaled_dot_product_biased")
else:
    page.formula("scaled_dot_product")
steps = {
    "attention.try_previous": Step("attention", looks_back()),
    "attention.try_raw": Step("figure_closer", {"view": "scale", "factor": 0}),
    "attention.try_cell": Step("figure_closer", {"view": "cell", "query": None, "key": None}),
    "attention.try_alike": Step("figure_closer", {"view": "similarity"}),
}
names = _views(run_in_view)
tour.try_this({key: step for key, step in steps.items() if step.choices["view"] in names})
