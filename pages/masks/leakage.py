"""A word changed, or padding added: how far each step moves, with the mask and without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from model.checkpoint import catalogue
from model.decode import translate
from model.errors import InvalidInput
from model.masking import leakage
from model.tokenization.token_text import is_special
from pages.masks.batch import Batch, Side
from pages.shared.models import models
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show, token_picker
from viz.charts.mask_charts import change_text, step_rows, steps_chart

WORD_LIMIT = 40  # characters
MOST_PADDING = 16  # tokens
LAST_RESORT = "a"


@dataclass(frozen=True)
class Change:
    """A token of the sentence looked at, and what is put in its place."""

    at: int
    token: int
    before: str
    after: str


def change(batch: Batch) -> Change | None:
    """The controls for place and word; None with a word about it where there is nothing to change."""
    side = batch.sides[-1]
    ids, tokens = batch.ids(side)[batch.row], batch.tokens(side)
    places = [at for at, token in enumerate(tokens[: len(ids)]) if not is_special(token)]
    if not places:
        notices.say("info", words("masks_leak.nothing"))
        return None
    with st.container(horizontal=True, key="leak_controls", vertical_alignment="bottom"):
        at = token_picker.numbered("leak_at", words("masks_leak.at"), tokens, places[len(places) // 2], places)
        word = controls.text("leak_word", words("masks_leak.word"), other_word(batch, side, ids[at]), WORD_LIMIT)
    return _replacement(batch.entry, at, tokens[at], word)


def _replacement(entry: catalogue.Entry, at: int, before: str, word: str) -> Change | None:
    """The first token of the word stands in for it."""
    try:
        token = translate.encode(models.checkpoint(entry), word)[1]
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return None
    return Change(at, token, before, models.tokenizer(entry).tokens([token])[0])


def other_word(batch: Batch, side: Side, token: int) -> str:
    """A word to begin with, another one than the token: out of a neighbour, else of the sentence itself."""
    tokenizer = models.tokenizer(batch.entry)
    own = batch.ids(side)[batch.row]
    neighbours = [id_ for number, ids in enumerate(batch.ids(side)) if number != batch.row for id_ in ids]
    for id_ in (*neighbours, *own):
        word = tokenizer.decode([id_])
        if id_ != token and word.isalpha() and tokenizer.pieces(word) == [id_]:
            return word
    return LAST_RESORT


def leak(batch: Batch, change: Change) -> None:
    """Draw the result of the leak test in a sentence, and its chart."""
    both = {name: _changed(batch, change, causal) for name, causal in _series(batch, "leak").items()}
    first = next(iter(both.values()))
    labels = _labels(batch)
    labels[change.at] = f"{change.before} ⇒ {change.after}"
    earlier = {name: float(result.change[: change.at].max()) for name, result in both.items()}
    if batch.sides == ["encoder"]:
        text = words("masks_leak.result_encoder", least=change_text(float(first.change.min())), count=len(first.change))
    else:
        masked, without = earlier.values()
        text = words("masks_leak.result", count=change.at, masked=change_text(masked), unmasked=change_text(without))
    show.text(text)
    _draw(batch, "leak", both, labels)


def padding(batch: Batch) -> None:
    """The control for the padding added, the chart, and its numbers in a sentence."""
    side = batch.sides[0]
    length = len(batch.ids(side)[batch.row])
    most = min(MOST_PADDING, batch.entry.config.max_length - length)
    if most < 2:  # a slider needs two ends
        notices.say("info", words("masks_padding.full", limit=batch.entry.config.max_length))
        return
    gap = batch.padding(side) or MOST_PADDING // 2
    count = controls.slider("added", words("masks_padding.added"), 1, most, min(gap, most))
    both = {name: _padded(batch, count, masked) for name, masked in _series(batch, "padding").items()}
    _draw(batch, "padding", both, _labels(batch))
    largest = [change_text(float(result.change.max())) for result in both.values()]
    if batch.sides == ["decoder"]:
        show.text(words("masks_padding.result_decoder", count=count, masked=largest[0]))
    else:
        show.text(words("masks_padding.result", count=count, masked=largest[0], unmasked=largest[1]))


def _series(batch: Batch, part: str) -> dict[str, bool]:
    """The passes to compare by title, with the mask first; a mask that the model lacks is not taken away."""
    if part == "leak" and batch.sides == ["encoder"]:
        return {words("masks_leak.own"): True}
    if part == "padding" and batch.sides == ["decoder"]:
        return {words("masks_padding.own"): True}
    return {words(f"masks_{part}.with_mask"): True, words(f"masks_{part}.without_mask"): False}


def _labels(batch: Batch) -> list[str]:
    """The token read at each step."""
    side = batch.sides[-1]
    return list(batch.tokens(side)[: len(batch.ids(side)[batch.row])])


def _draw(batch: Batch, part: str, both: Mapping[str, leakage.Moved], labels: Sequence[str]) -> None:
    tokens = models.tokenizer(batch.entry).tokens
    outputs = {name: tokens(result.after) for name, result in both.items()}
    rows = step_rows(labels, {name: result.change for name, result in both.items()}, outputs)
    show.figure(f"masks_{part}", steps_chart(rows, list(both), section("masks_steps")))


def _changed(batch: Batch, change: Change, causal: bool) -> leakage.Moved:
    return _change_word(batch.entry, batch.run.sentence, change.at, change.token, causal)


def _padded(batch: Batch, count: int, masked: bool) -> leakage.Moved:
    return _add_padding(batch.entry, batch.run.sentence, count, masked)


@models.cached
def _change_word(entry: catalogue.Entry, sentence: str, at: int, token: int, causal: bool) -> leakage.Moved:
    run = models.run(entry, sentence)
    return leakage.change_word(models.checkpoint(entry).model, run.source, run.target, at, token, causal=causal)


@models.cached
def _add_padding(entry: catalogue.Entry, sentence: str, count: int, masked: bool) -> leakage.Moved:
    run = models.run(entry, sentence)
    return leakage.add_padding(models.checkpoint(entry).model, run.source, run.target, count, masked=masked)
