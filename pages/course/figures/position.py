"""Step 3, position: the position vectors of a sentence, and what the model writes for two orders of its words."""

import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.edit import change_edits, edit_effects, notation
from pages.course.question import Question, among
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import where_positions_act
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.data import Matrix

WITHOUT = "position:encoder.none"  # the change that takes the positions away, as a link spells it
# by source language a sentence whose first and last word can change places, so that it means the opposite
EXAMPLES = {"de": "Tom ist größer als Sara.", "zh": "我帮助他。"}


def figure(current_run: CurrentRun) -> Question:
    entry, sentence = current_run.entry, _read(current_run)
    orders = (sentence, _exchanged(entry, sentence))
    off = controls.toggle("without", words("course_position.without"))
    has_positions = entry.config["position"] != "none"
    before = [written(entry, order, False) for order in orders]
    after = [written(entry, order, has_positions) for order in orders]
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
    differ = _differing(*after)
    wrong = [str(number) for number in (_differing(*before), 1, 2, len(after[0].tokens), 3) if number != differ]
    values = {"first": orders[0], "second": orders[1], "sentence": after[0].text, "other": after[1].text}
    question = among(str(differ), wrong, **values)
    return replace(question, why="why_different") if differ else question


def _read(current_run: CurrentRun) -> str:
    """The sentence of this figure: at first the example, or what the user typed."""
    own = current_run.sentence
    example = EXAMPLES.get(current_run.entry.card.get("source_language", ""), own)
    if example == own:
        return own
    is_own = view.view().sentence is not None and own not in current_run.entry.card["examples"]
    titles = {"example": plain(example), "own": plain(own)}
    read = controls.choice("read", words("course_position.read"), titles, "own" if is_own else "example")
    return example if read == "example" else own


def _exchanged(entry: catalogue.Entry, sentence: str) -> str:
    """The same tokens in another order; the sentence itself if it can have none."""
    encode, other = models.tokenizer(entry).encode, exchanged(sentence)
    return other if sorted(encode(other)) == sorted(encode(sentence)) else sentence


def exchanged(sentence: str) -> str:
    """The sentence with its first and its last word exchanged; with the first and last letter, if it has one word."""
    matches = list(re.finditer(r"\w+", sentence))
    if len(matches) == 1:
        matches = list(re.finditer(r"\w", sentence))
    if len(matches) < 2:
        return sentence
    first, last = matches[0], matches[-1]
    between = sentence[first.end() : last.start()]
    return sentence[: first.start()] + last[0] + between + first[0] + sentence[last.end() :]


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


class Written(NamedTuple):
    """Output of the model."""

    text: str
    tokens: tuple[str, ...]


def _differing(one: Written, other: Written) -> int:
    """At how many places two outputs have another token."""
    longest = max(len(one.tokens), len(other.tokens))
    return longest - sum(a == b for a, b in zip(one.tokens, other.tokens, strict=False))


@models.cached
def written(entry: catalogue.Entry, sentence: str, without: bool) -> Written:
    """Translate the sentence, if asked without positions in the encoder."""
    run = models.run(entry, sentence)
    if not without:
        return Written(run.text, run.trace.output_tokens)
    checkpoint = models.checkpoint(entry)
    [change], _ = notation.read(WITHOUT)
    outcome = edit_effects.outcome(checkpoint, run, change_edits.edits_of(checkpoint, run, change))
    return Written(outcome.text, checkpoint.tokenizer.tokens(outcome.ids, begins=bool(run.source)))
