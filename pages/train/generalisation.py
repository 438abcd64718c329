"""Judgement of a finished run in plain words: it learned the rule, or its examples by heart."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from corpora import task_list
from model.checkpoint import catalogue
from model.jobs.types import Progress
from model.train.report import Evaluation
from pages.shared.layout import page
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.runs import TrainState
from pages.shared.session import address
from pages.shared.text.words import words
from pages.train import run_in_view
from viz.numbers import percent

FOUND = 0.5  # loss on repeated letters ÷ on new ones, below which they are looked up
SHIPPED = "induction"  # a model that does
ADDS = "modular"  # a model that has found the rule of its sums
KNOWS, FAILS = 0.9, 0.2  # shares of right answers from which on, and up to which, a verdict is clear


def judge(state: TrainState, run: Progress) -> None:
    """Held-out data beside training data, in plain words; and for the notebook's task the control of it."""
    evaluation = run_in_view.evaluation(run)
    if evaluation is None:
        return
    with page.card("figure_verdict", words("train_verdict.title")):
        for line in _verdict(run, evaluation):
            st.text(line)
        shows = task_list.tasks()[run.settings.task].shows
        if shows == "memorisation" and state.own:
            _control(run)
        if shows == "induction":
            _looked_up(run)
        if shows == "grokking":
            _by_heart_first(run)


def _verdict(run: Progress, evaluation: Evaluation) -> list[str]:
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
    is_shuffled = run.settings.shuffled
    st.caption(words("train_verdict.control"))
    label = words("train_verdict.again" if is_shuffled else "train_verdict.shuffle")
    if st.button(label, key="control"):
        run_in_view.start(replace(run.settings, shuffled=not is_shuffled), beside=run.id)


def _looked_up(run: Progress) -> None:
    """When the loss on repeated letters fell, and which head came to look them up then."""
    measurements = [
        (report.step, report.evaluation.induction)
        for report in run_queue.jobs().progress(run.id).reports
        if report.evaluation and report.evaluation.induction
    ]
    if not measurements:
        return
    _, last = measurements[-1]
    if last.again > FOUND * last.first:
        key = "train_verdict.one_layer" if run.settings.decoder_layers == 1 else "train_verdict.not_found"
        st.text(words(key, first=f"{last.first:.2f}", again=f"{last.again:.2f}"))
        return
    at = next(n for n, (_, each) in enumerate(measurements) if each.again <= FOUND * each.first)
    (before, then), (after, now) = measurements[max(0, at - 1)], measurements[at]
    layer, head = max(
        ((layer, head) for layer, row in enumerate(last.induction) for head in range(len(row))),
        key=lambda place: last.induction[place[0]][place[1]],
    )
    scores = [each.induction[layer][head] for each in (then, now, last)]
    st.text(
        words(
            "train_verdict.found", before=before, after=after, high=f"{then.again:.2f}", low=f"{now.again:.2f}",
            last=f"{last.again:.2f}", first=f"{last.first:.2f}", layer=layer, head=head,
            **dict(zip(("then", "now", "end"), map(percent, scores), strict=True)),
        )
    )  # fmt: skip
    if SHIPPED in catalogue.entries():
        query = address.offer("intervene") | {"checkpoint": SHIPPED, "changes": "off:decoder.1.0"}
        st.page_link(address.script_of("intervene"), label=words("train_verdict.switch_off"), query_params=query)


def _by_heart_first(run: Progress) -> None:
    """After how many steps the training sums were known, and after how many the others."""
    evaluations = [
        (report.step, report.evaluation) for report in run_queue.jobs().progress(run.id).reports if report.evaluation
    ]
    knew = next((step for step, each in evaluations if (each.exact_training or 0) >= KNOWS), None)
    step_of_rule = next((step for step, each in evaluations if (each.exact_held_out or 0) >= KNOWS), None)
    if knew is not None and step_of_rule is not None:
        st.text(words("train_verdict.grokked", knew=f"{knew:,}", ruled=f"{step_of_rule:,}"))
    elif knew is not None:
        key = "train_verdict.no_decay" if not run.settings.weight_decay else "train_verdict.not_yet"
        st.text(words(key, knew=f"{knew:,}"))
    if ADDS in catalogue.entries():
        query = address.offer("embedding") | {"checkpoint": ADDS, "show": "frequencies"}
        st.page_link(address.script_of("embedding"), label=words("train_verdict.circle"), query_params=query)
