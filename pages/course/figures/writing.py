"""Step 7, writing a word: the candidates of one step, and how the text goes on after each of them."""

import numpy as np
import streamlit as st

from model.analysis import predictions
from model.checkpoint import catalogue
from model.decode import forced_tokens
from model.tokenization.tokenizer import EOS
from pages.course import tokens
from pages.course.question import Question, among
from pages.shared.models import models
from pages.shared.models.ending import begin
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.notices import plain
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.basic.bars import bars_chart

SHOWN = 5  # candidates


def figure(current_run: CurrentRun) -> Question:
    names = current_run.trace.output_tokens
    step = tokens.pick("token", words("course_writing.step"), names, 0)
    ids, shares = candidates(current_run, step)
    labels = models.tokenizer(current_run.entry).tokens(ids)
    show.figure("course-writing", bars_chart(labels, shares, section("course_writing_chart"), chosen=0))
    others = current_run.trace.values["logits"].shape[1] - len(shares)
    st.caption(words("course_writing.rest", count=f"{others:,}", share=f"{max(0.0, 1 - sum(shares)):.3f}"))
    titles = {id_: plain(label) for id_, label in zip(ids, labels, strict=True)}
    token = controls.choice("forced", words("course_writing.instead"), titles, ids[0])
    with st.container(key="course_output"):
        show.caption(words("course_writing.writes"))
        show.text(" ".join(continued(current_run.entry, current_run.sentence, step, token)))
    return _question(current_run)


def _question(current_run: CurrentRun) -> Question:
    """Ask which token follows the second candidate of the first step."""
    ids, _ = candidates(current_run, 0)
    other = next(id_ for id_ in ids[1:] if id_ != EOS)
    output = continued(current_run.entry, current_run.sentence, 0, other)
    following = output[min(1, len(output) - 1)]
    others = models.tokenizer(current_run.entry).tokens(ids)
    wrong = [name for name in (*current_run.trace.output_tokens[1:], *output[2:], *others) if name != following]
    return among(following, wrong, forced=output[0], word=following, sentence=" ".join(output))


def candidates(current_run: CurrentRun, step: int) -> tuple[list[int], list[float]]:
    """The likeliest tokens of a step, with their probabilities."""
    ids, log_probabilities = predictions.candidates(current_run.trace, step, SHOWN)
    return ids.tolist(), np.exp(log_probabilities).tolist()


@models.cached
def continued(entry: catalogue.Entry, sentence: str, step: int, token: int) -> tuple[str, ...]:
    """The output when `token` is written at `step` and the model goes on from there."""
    checkpoint, start = models.checkpoint(entry), begin(entry, sentence)
    base = forced_tokens.follow(checkpoint.model, start)
    if base.ids[step] != token:
        base = forced_tokens.fork(checkpoint.model, start, base, step, token, None)
    return checkpoint.tokenizer.tokens(base.ids, begins=bool(start.source))
