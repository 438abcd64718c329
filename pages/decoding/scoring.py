"""How likely the model finds an output that the user gives."""

from __future__ import annotations

import streamlit as st

from model.checkpoint import catalogue
from model.decode import scoring
from model.errors import InvalidInput
from pages.decoding import output_list
from pages.decoding.output_list import Decoding
from pages.shared.layout import page
from pages.shared.models import ending, models
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.numbers import nats
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show
from viz.charts import decoding_charts
from viz.figures.chart import Chart
from viz.html.outputs import Output, outputs_html

LONGEST = 200  # characters of a given output, which has to stand in the URL


# a given output


def judge(decoding: Decoding) -> None:
    """How likely the model finds an output that the user gives, word by word, beside its own."""
    checkpoint = models.checkpoint(decoding.entry)
    own = output_list.run(decoding.entry, decoding.current_run.sentence, (), None).run.ids
    default = scoring.shown(checkpoint.tokenizer, own)[:LONGEST]
    text = controls.text("given", words("decoding_given.given"), default, LONGEST)
    if not text.strip():
        show.text(words("decoding_given.empty"))
        return
    try:
        # text has no specials, and no end where the model wrote none: its own output is judged as it was written
        ids = own if text == default else scoring.output_ids(checkpoint, decoding.start, text)
        result = _judge(decoding.entry, decoding.current_run.sentence, ids, own)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return
    tokens = models.tokenizer(decoding.entry).tokens
    past = [None] * (len(result.ids) - len(result.own))
    surprises = tuple(
        decoding_charts.Surprise(*each)
        for each in zip(
            tokens(result.ids), result.ranks, result.log_probabilities, (*result.own, *past), tokens(result.best),
            result.best_log_probabilities, strict=True,
        )
    )  # fmt: skip
    with st.container(horizontal=True, key="given_totals"):
        st.metric(words("decoding_given.total"), nats(result.total))
        st.metric(words("decoding_given.perplexity"), f"{result.perplexity:.2f}")
        st.metric(words("decoding_given.free_total"), nats(sum(result.free_log_probabilities)))
    show.figure("surprise", _surprise_chart(surprises, view.language()))
    worst = max(range(len(surprises)), key=lambda n: -surprises[n].forced)
    if surprises[worst].rank > 1:
        token = surprises[worst]
        show.text(words("decoding_given.worst", token=token.token, rank=token.rank, best=token.best))
    else:
        show.text(words("decoding_given.agrees"))
    first = Output(words("decoding_given.as_given"), tokens(result.ids), frozenset(), "")
    second = Output(words("decoding_given.as_free"), tokens(result.free), frozenset(), "")
    show.table(outputs_html(first, second, section("decoding_forks")))
    show.caption(words("decoding_given.exposure"))
    page.formula("probability_of_output")


@models.cached(beside="if free")
def _judge(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...], free: tuple[int, ...]) -> scoring.ScoredOutput:
    return scoring.score_output(models.checkpoint(entry), ending.begin(entry, sentence), ids, free)


@models.cached
def _surprise_chart(surprises: tuple[decoding_charts.Surprise, ...], language: str) -> Chart:
    return decoding_charts.surprise_chart(surprises, section("decoding_chart"))
