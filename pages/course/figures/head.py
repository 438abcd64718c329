"""Step 4, one head: lines from each word written to the words that were read, and why one of them leads there."""

import numpy as np
import streamlit as st

from model.attribution.score_terms import terms
from model.course import head
from model.course.question import Question
from pages.course import heads
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.numbers import percent, signed


def figure(current_run: CurrentRun) -> Question:
    heads.links(current_run, "course_head")
    place = head.of_card(current_run.entry.card, current_run.entry.config)
    _why_there(current_run, *place)
    return head.question(current_run.trace, *place)


def _why_there(current_run: CurrentRun, layer: int, number: int) -> None:
    """The largest term of the score behind the clearest line, another one than the question is about."""
    trace = current_run.trace
    place = head.clearest(trace, layer, number)
    if current_run.recorded or place is None:
        return
    query, key = place
    model = models.checkpoint(current_run.entry).model
    row = terms.score_row(model, trace.values, "cross", layer, number, query)
    table = row.table(key, centred=True)
    sums = {
        (of_query, of_key): float(table[np.ix_(rows, columns)].sum())
        for of_query, rows in terms.groups(row.queries).items()
        for of_key, columns in terms.groups(row.keys).items()
    }
    largest = max(sums, key=sums.__getitem__)
    with st.container(border=True, key="course_there"):
        show.text(
            words(
                "course_head.there",
                word=trace.output_tokens[query],
                token=trace.source_tokens[key],
                weight=percent(float(row.weights[key])),
                of_query=_title(largest[0]),
                of_key=_title(largest[1]),
                value=signed(sums[largest]),
                score=signed(row.score(key, centred=True)),
            )
        )
        cell = {"view": "there", "attention_kind": "cross", "layer": layer, "head": number, "query": query, "key": key}
        there = address.offer("attention") | {name: str(value) for name, value in cell.items()}
        st.page_link(address.script_of("attention"), label=words("course_head.there_more"), query_params=there)


def _title(group: str) -> str:
    """A group of parts as the page that has all of them names it."""
    if group.isdecimal():
        return words("attention_there_part.layer", layer=group)
    return words(f"attention_there_part.{group}")
