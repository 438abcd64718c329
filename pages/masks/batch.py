"""The user's own batch: the sentence in view and up to three neighbours, each with the model's translation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import catalogue
from model.decode import translate
from model.errors import InvalidInput
from model.tokenization.tokenizer import PAD
from model.trace import AttentionKind
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls

Side = Literal["encoder", "decoder"]
BOXES = ("sentence_b", "sentence_c", "sentence_d")
LONGEST = 200  # characters of a neighbour, which has to stand in the URL
WIDEST = 12  # tokens of a neighbour that is there from the start
LONGER = 6  # or as many more than the sentence in view has, so that this one is padded


@dataclass(frozen=True)
class Batch:
    """Up to four sentences, in the order of their boxes, and which of them is looked at.

    numbers    of the boxes, from 1; an empty one is left out
    row        place in the batch of the sentence looked at, from 0
    """

    entry: catalogue.Entry
    numbers: tuple[int, ...]
    runs: tuple[translate.Translation, ...]
    row: int

    @property
    def run(self) -> translate.Translation:
        """The sentence looked at."""
        return self.runs[self.row]

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(run.sentence for run in self.runs)

    @property
    def sides(self) -> list[Side]:
        """Encoder, decoder or both, as the architecture has them."""
        sides: list[Side] = ["encoder", "decoder"]
        return [side for side in sides if self.entry.config.layers(side)]

    def ids(self, side: Side) -> list[tuple[int, ...]]:
        """Ids that the side reads, each sentence unpadded."""
        return [run.source if side == "encoder" else run.target for run in self.runs]

    def length(self, side: Side) -> int:
        """Places of the padded side."""
        return max(map(len, self.ids(side)))

    def padding(self, side: Side) -> int:
        """`<pad>` in the row looked at."""
        return self.length(side) - len(self.ids(side)[self.row])

    def table(self, side: Side) -> list[list[tuple[str, int]]]:
        """Token and id at each place of each sentence, padding included."""
        read = [(run.trace.source_tokens if side == "encoder" else run.trace.target_tokens) for run in self.runs]
        return [self._padded(side, list(zip(*row, strict=True))) for row in zip(read, self.ids(side), strict=True)]

    def tokens(self, side: Side) -> tuple[str, ...]:
        """The row looked at, padding included."""
        return tuple(token for token, _ in self.table(side)[self.row])

    def queries(self, kind: AttentionKind) -> tuple[str, ...]:
        """Words read in self-attention, words being written in cross-attention."""
        if kind != "cross":
            return self.tokens(kind)
        return (*self.run.trace.output_tokens, *[models.tokenizer(self.entry).specials[PAD]] * self.padding("decoder"))

    def keys(self, kind: AttentionKind) -> tuple[str, ...]:
        return self.tokens("decoder" if kind == "decoder" else "encoder")

    def _padded(self, side: Side, row: list[tuple[str, int]]) -> list[tuple[str, int]]:
        return row + [(models.tokenizer(self.entry).specials[PAD], PAD)] * (self.length(side) - len(row))


def read(current_run: CurrentRun) -> Batch:
    """Draw a box for each neighbour and the choice of the row, run all sentences, and say what is wrong with one."""
    *boxes, last = st.columns(len(BOXES) + 1)
    sentences = _boxes(current_run, boxes)
    with last, st.container(key="batch_row"):  # with the choice, for an empty one comes and goes with the spinner
        with st.spinner(words("notice.running")):
            runs = {1: models.run(current_run.entry, current_run.sentence)}
            for number, sentence in sentences.items():
                run = _neighbour(current_run.entry, number, sentence)
                if run is not None:
                    runs[number] = run
        numbers = tuple(runs)
        row = controls.choice("row", words("masks.row"), {number: str(number) for number in numbers}, 1)
    return Batch(current_run.entry, numbers, tuple(runs.values()), numbers.index(row))


def _boxes(current_run: CurrentRun, columns: Sequence[DeltaGenerator]) -> dict[int, str]:
    """Sentences in the boxes, by number, the empty ones left out."""
    defaults = neighbours(current_run.entry, current_run.sentence)
    sentences = {}
    for number, (key, column) in enumerate(zip(BOXES, columns, strict=True), start=2):
        with column:
            default = defaults[number - 2] if number - 2 < len(defaults) else ""
            label, hint = words("masks_batch.sentence", number=number), words("masks_batch.empty")
            sentences[number] = controls.text(key, label, default, LONGEST, hint)
    return {number: sentence for number, sentence in sentences.items() if sentence.strip()}


def _neighbour(entry: catalogue.Entry, number: int, sentence: str) -> translate.Translation | None:
    """Its run, or None with a word about why it is left out."""
    try:
        run = models.run(entry, sentence)
    except InvalidInput as error:
        notices.say("warning", words("masks_batch.refused", number=number, problem=refusal(error)))
        return None
    if run.unknown_characters and not models.tokenizer(entry).knows_training:
        notices.say("warning", words("notice.characters", characters=notices.characters(run.unknown_characters)))
    elif (run.unseen_words or run.unknown_characters) and not isinstance(entry, catalogue.Untrained):
        unknown = [notices.quoted(word) for word in run.unseen_words]
        unknown += [notices.characters([c]) for c in run.unknown_characters if c not in run.unseen_words]
        notices.say("warning", words("masks_batch.unseen", number=number, words=notices.listed(unknown)))
    return run


@models.cached(copy=True)
def neighbours(entry: catalogue.Entry, sentence: str) -> list[str]:
    """Three of the card's examples, short, long and between, so that padding appears by itself; sentences if any."""
    encode = models.tokenizer(entry).encode
    lengths = {text: length for text, length in _examples(entry).items() if text != sentence}
    widest = min(max(WIDEST, len(encode(sentence)) + LONGER), entry.config.max_length)
    fitting = {text: length for text, length in lengths.items() if length <= widest}
    if not fitting:
        return []
    short, long = min(fitting, key=fitting.__getitem__), max(fitting, key=fitting.__getitem__)
    middle = min(fitting, key=lambda text: abs(fitting[text] - (fitting[short] + fitting[long]) / 2))
    return list(dict.fromkeys((short, long, middle)))


@models.cached
def _examples(entry: catalogue.Entry) -> dict[str, int]:
    """The card's examples and how many tokens each has; whole sentences if there are any."""
    encode = models.tokenizer(entry).encode
    card = catalogue.entry_of(entry.folder).card  # an untrained model's own lists no topics
    examples: Sequence[str] = [*card["examples"], *(text for topic in card["covers"] for text in topic["examples"])]
    whole_sentences = [text for text in examples if text.endswith(tuple(".?!。？！"))]
    return {text: len(encode(text)) for text in whole_sentences or examples}
