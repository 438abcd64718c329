"""Step 3, position: the position vectors of a sentence, and what the model writes for two orders of its words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.course import position
from model.course.question import Question
from pages.course import outputs
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import where_positions_act
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.data import Matrix


def figure(current_run: CurrentRun) -> Question:
    entry, sentence = current_run.entry, _read(current_run)
    orders = (sentence, position.other_order(models.tokenizer(entry), sentence))
    off = controls.toggle("without", words("course_position.without"))
    has_positions = entry.config.position != "none"
    before = [outputs.under(entry, order) for order in orders]
    after = [outputs.under(entry, order, position.WITHOUT) for order in orders] if has_positions else before
    now = after if off else before
    with st.container(key="course_output"):
        for order, output in zip(orders, now, strict=True):
            show.caption(words("course_position.writes", sentence=plain(order)))
            show.output(output.text)
        show.caption(
            words("course_position.same") if now[0].tokens == now[1].tokens else words("course_position.different")
        )
        if off and has_positions and after[0].tokens == before[0].tokens:
            show.caption(words("course_position.unchanged"))
    _vectors(current_run, sentence, off)
    return position.question(orders, before, after)


def _read(current_run: CurrentRun) -> str:
    """The sentence of this figure: at first the example, or what the user typed."""
    own = current_run.sentence
    example = position.EXAMPLES.get(current_run.entry.card.get("source_language", ""), own)
    if example == own:
        return own
    is_own = view.view().sentence is not None and own not in current_run.entry.card["examples"]
    titles = {"example": plain(example), "own": plain(own)}
    read = controls.choice("read", words("course_position.read"), titles, "own" if is_own else "example")
    return example if read == "example" else own


def _vectors(current_run: CurrentRun, sentence: str, off: bool) -> None:
    """The position vectors that are added, one row for each token; all 0 when they are switched off."""
    trace = models.run(current_run.entry, sentence).trace
    in_table = "encoder.position" in trace.values
    if not in_table:
        show.caption(where_positions_act.where(current_run.entry.config, words("course_position.none")))
    vectors = trace.values["encoder.position"] if in_table else np.zeros_like(trace.values["encoder.embedding"])
    rows = 0 * vectors if off else vectors  # (T, d_model)
    columns = tuple(map(str, range(vectors.shape[1])))
    matrices(
        "course_position",
        [
            Matrix(
                "position", words("course_position.matrix"), rows, trace.source_tokens, columns,
                words("course_position.rows"), words("course_position.columns"), limit=1.0,
            )
        ],
    )  # fmt: skip
