"""Train: a small Transformer, here and now, and what it learns on the way."""

import streamlit as st

from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.text.words import words
from pages.train import generalisation, keep_model, live_run, run_in_view
from pages.train.form import FIELDS, form
from pages.train.run_list import runs

AS_USUAL = dict.fromkeys(FIELDS)
STEPS = {
    "train_try.notebook": Step("figure_form", AS_USUAL | {"task": "notebook", "preset": "notebook"}),
    "train_try.shuffled": Step("figure_form", AS_USUAL | {"task": "notebook", "shuffled": True}),
    "train_try.position": Step("figure_form", AS_USUAL | {"task": "reverse", "position": "none"}),
    "train_try.repeat": Step("figure_form", AS_USUAL | {"task": "repeat"}),
    "train_try.modular": Step("figure_form", AS_USUAL | {"task": "modular"}),
    "train_try.no_decay": Step("figure_form", AS_USUAL | {"task": "modular", "weight_decay": 0.0}),
    "train_try.one_layer": Step("figure_form", AS_USUAL | {"task": "repeat", "decoder_layers": 1}),
    "train_try.one_head": Step("figure_form", AS_USUAL | {"task": "dates", "heads": 1, "encoder_layers": 1}),
}
page.head(
    "train",
    tour=(
        Stop("train_tour.task", "figure_form"),
        Stop("train_tour.start", "start_row"),
        Stop("train_tour.after", "figure_form", AS_USUAL | {"task": "notebook"}),
    ),
)
state = run_in_view.read()
if state.run is None:
    with page.card("figure_form", words("train.new")):
        form(state)
    runs(state)
    tour.try_this(STEPS)
else:
    with page.columns(5, 12) as (left, right):
        with right:
            with st.container(border=True, key="figure_run"):
                live_run.figure(state, state.run)
            if state.over:
                generalisation.judge(state, state.run)
        with left:
            if state.run.moments and state.run.state not in run_in_view.RUNNING:
                keep_model.keep(state, state.run)
            with page.card("figure_form", words("train.another")):
                form(state)
            runs(state)
            tour.try_this(STEPS)
