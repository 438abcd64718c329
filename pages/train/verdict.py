"""What a finished run learned, in plain words: the rule, or its examples by heart."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from model.jobs.types import Progress
from model.train import run as train_run
from pages.shared.layout import page
from pages.shared.models.runs import TrainState
from pages.shared.text.words import words
from pages.train import workbench

KNOWS, FAILS = 0.9, 0.2  # shares of right answers from which on, and up to which, a verdict is clear


def judge(state: TrainState, run: Progress) -> None:
    """Held-out data beside training data, in plain words; and for the notebook's task the control of it."""
    evaluation = workbench.evaluation(run)
    if evaluation is None:
        return
    with page.card("figure_verdict", words("train_verdict.title")):
        for line in _verdict(run, evaluation):
            st.text(line)
        if run.settings.task == "notebook" and state.own:
            _control(run)


def _verdict(run: Progress, evaluation: train_run.Evaluation) -> list[str]:
    if evaluation.exact_training is None or evaluation.exact_held_out is None:
        return [words("train_verdict.going_on")]
    counts = words(
        "train_verdict.counts",
        right=round(evaluation.exact_training * evaluation.training),
        count=evaluation.training,
        held_right=round(evaluation.exact_held_out * evaluation.held_out),
        held=evaluation.held_out,
    )
    if evaluation.exact_training < KNOWS:
        verdict = words("train_verdict.between")
    elif evaluation.exact_held_out >= KNOWS:
        verdict = words("train_verdict.rule")
    else:
        verdict = words("train_verdict.by_heart" if evaluation.exact_held_out <= FAILS else "train_verdict.partly")
    return [counts, verdict, words("train_verdict.nonsense")] if run.settings.shuffled else [counts, verdict]


def _control(run: Progress) -> None:
    """The same run with wrong translations, or, after it, with the right ones."""
    shuffled = run.settings.shuffled
    st.caption(words("train_verdict.control"))
    label = words("train_verdict.again" if shuffled else "train_verdict.shuffle")
    if st.button(label, key="control"):
        workbench.start(replace(run.settings, shuffled=not shuffled), beside=run.id)
