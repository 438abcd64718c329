"""Step 9, writing a word: the candidates of one step, and how the text goes on after each of them."""

import streamlit as st

from model.checkpoint import catalogue
from model.course import writing
from model.course.question import Question
from model.decode import decoding_loop
from pages.course import token_choice
from pages.shared.models import models
from pages.shared.models.ending import begin
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.notices import plain
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.basic.bars import bars_chart


def figure(current_run: CurrentRun) -> Question:
    names = current_run.trace.output_tokens
    step = token_choice.pick("token", words("course_writing.step"), names, 0)
    ids, shares = writing.candidates(current_run.trace, step)
    labels = models.tokenizer(current_run.entry).tokens(ids)
    show.figure("course-writing", bars_chart(labels, shares, section("course_writing_chart")))
    others = current_run.trace.values["logits"].shape[1] - len(shares)
    st.caption(words("course_writing.rest", count=f"{others:,}", share=f"{max(0.0, 1 - sum(shares)):.3f}"))
    titles = {id_: plain(label) for id_, label in zip(ids, labels, strict=True)}
    token = controls.choice("forced", words("course_writing.instead"), titles, ids[0])
    with st.container(key="course_output"):
        show.caption(words("course_writing.writes"))
        own = models.run(current_run.entry, current_run.sentence).ids[step] == token
        output = names if own else _continued(current_run.entry, current_run.sentence, step, token)
        show.text(" ".join(output))
    return writing.question(
        current_run.trace,
        models.tokenizer(current_run.entry).tokens,
        lambda first: _continued(current_run.entry, current_run.sentence, 0, first),
    )


@models.cached(beside="if free")
def _continued(entry: catalogue.Entry, sentence: str, step: int, token: int) -> tuple[str, ...]:
    run = models.run(entry, sentence)
    own = decoding_loop.Decoded(run.ids, run.stop)
    return writing.continued(models.checkpoint(entry), begin(entry, sentence), own, step, token)
