"""Train: a small Transformer, here and now, and what it learns on the way."""

import streamlit as st

from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.text.words import words
from pages.shared.ui import export
from pages.train import keep, live_run, workbench
from pages.train.form import FIELDS, form
from pages.train.run_list import runs

AS_USUAL = dict.fromkeys(FIELDS)
page.head(
    "train",
    tour=(
        Stop("train_tour.task", "figure_form"),
        Stop("train_tour.start", "start_row"),
        Stop("train_tour.after", "figure_form", AS_USUAL | {"task": "notebook"}),
    ),
)
bench = workbench.bench()
if bench.run is not None:
    with st.container(border=True, key="figure_run"):
        live_run.figure(bench, bench.run)
    if bench.over:
        keep.judge(bench, bench.run)
    if bench.run.moments and bench.run.state not in workbench.RUNNING:
        keep.keep(bench, bench.run)
with st.container(border=True, key="figure_form"):
    st.header(words("train.another" if bench.run else "train.new"), anchor=False)
    form(bench)
runs(bench)
tour.try_this(
    {
        "train_try.notebook": Step("figure_form", AS_USUAL | {"task": "notebook", "preset": "notebook"}),
        "train_try.shuffled": Step("figure_form", AS_USUAL | {"task": "notebook", "shuffled": True}),
        "train_try.position": Step("figure_form", AS_USUAL | {"task": "reverse", "position": "none"}),
        "train_try.one_head": Step("figure_form", AS_USUAL | {"task": "dates", "heads": 1, "encoder_layers": 1}),
    }
)
export.link()
