"""The two models that are compared: which they are, what each makes of the sentence, and their passes; cached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.links import END, START
from pages.shared.models import cache as models
from pages.shared.text.words import refusal

if TYPE_CHECKING:
    from model.checkpoint.load import Checkpoint
    from model.compare.models import Written
    from model.decode.translate import Translation
    from model.edit.edits import Edit
    from model.edit.notation import Change
    from model.trace import Trace


@dataclass(frozen=True)
class Side:
    """One of the two models: a checkpoint or system, a moment of its training, and changes to its pass.

    name       what the page calls it
    changes    those that are switched on, as in a link
    problem    why it cannot read the sentence, or nothing
    """

    entry: catalogue.Entry
    moment: str
    changes: str
    name: str
    sentence: str
    problem: str = ""

    def run(self) -> Translation:
        return _run(self.entry, self.moment, self.sentence)

    def written(self) -> Written:
        return _written(self.entry, self.moment, self.changes, self.sentence)


@dataclass(frozen=True)
class Pair:
    """Both models. `shared`: they read the same tokens of the sentence, and can be given the same words to write."""

    a: Side
    b: Side
    shared: bool

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.a, self.b

    @property
    def same(self) -> bool:
        """Whether there is nothing to compare: one model with itself."""
        one, other = ((side.entry.name, side.moment, side.changes) for side in self.sides)
        return one == other


def moments(entry: catalogue.Entry) -> list[str]:
    """The moments of a model that can be run: before training, those saved with weights, and its end."""
    if isinstance(entry, catalogue.Untrained) or not entry.reads_text:
        return [END]
    return [START, *(str(step) for step in _weights(entry) if step), END]


@st.cache_resource(max_entries=24, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _weights(entry: catalogue.Entry) -> dict[int, dict[str, np.ndarray]]:
    """The weights of each moment that a checkpoint's history holds, by step; those of the end are the model itself."""
    from model.checkpoint import history

    found = {moment.step: moment.weights for moment in history.load(entry) if moment.weights}
    return {step: weights for step, weights in found.items() if step != entry.card["training"]["steps"]}


def checkpoint(entry: catalogue.Entry, moment: str) -> Checkpoint:
    return models.checkpoint(entry) if moment == END else _at(entry, moment)


@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _at(entry: catalogue.Entry, moment: str) -> Checkpoint:
    from model.checkpoint.load import config_of
    from model.compare import models as compare

    config, tokenizer = config_of(entry), models.tokenizer(entry)
    if moment == START:
        return compare.with_seed(config, tokenizer, entry.card["training"]["seed"], entry.name)
    return compare.with_weights(config, tokenizer, _weights(entry)[int(moment)], entry.name)


def _run(entry: catalogue.Entry, moment: str, sentence: str) -> Translation:
    return models.run(entry, sentence) if moment == END else _run_at(entry, moment, sentence)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _run_at(entry: catalogue.Entry, moment: str, sentence: str) -> Translation:
    from model.decode.translate import translate

    return translate(_at(entry, moment), sentence)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _written(entry: catalogue.Entry, moment: str, changes: str, sentence: str) -> Written:
    from model.compare import models as compare

    edits = _edits(entry, moment, changes, sentence)
    return compare.written(checkpoint(entry, moment), _run(entry, moment, sentence), edits, padding(changes))


def _edits(entry: catalogue.Entry, moment: str, changes: str, sentence: str, added: int | None = None) -> list[Edit]:
    from model.edit.notation import edits_of

    at, run = checkpoint(entry, moment), _run(entry, moment, sentence)
    wanted = padding(changes) if added is None else added
    return [edit for change in listed(changes) for edit in edits_of(at, run, change, wanted)]


def edits_anywhere(at: Checkpoint, changes: str, sentence: str) -> list[Edit]:
    """The edits of changes that mean the same for every sentence, `sentence` among them."""
    from model.decode.translate import translate
    from model.edit.notation import edits_of

    if not changes:
        return []
    run = translate(at, sentence)
    return [edit for change in listed(changes) for edit in edits_of(at, run, change)]


def listed(changes: str) -> list[Change]:
    """The changes of a link."""
    from model.edit.notation import read

    return read(changes)[0]


def padding(changes: str) -> int:
    """Tokens of padding that the changes want behind the sentence."""
    from model.edit.notation import padding

    return padding(listed(changes))


def unreadable(entry: catalogue.Entry, moment: str, changes: str, sentence: str) -> str:
    """Why a model cannot read the sentence, in a sentence; nothing where it can."""
    try:
        _written(entry, moment, changes, sentence)
    except InvalidInput as error:
        return refusal(error)
    return ""


def shared(a: Side, b: Side) -> bool:
    """Whether both read the same tokens and are of one architecture, so that a word of one is a word of the other."""
    from model.compare.models import same_vocabulary

    if a.problem or b.problem or a.entry.config["architecture"] != b.entry.config["architecture"]:
        return False
    if not same_vocabulary(models.tokenizer(a.entry), models.tokenizer(b.entry)):
        return False
    longest = min(side.entry.config["max_length"] for side in (a, b))
    return max(len(side.written().ids) for side in (a, b)) <= longest


# passes


@dataclass(frozen=True, eq=False)
class Pass:
    """What one side computed: its trace, and the words that were judged, behind each token that was read."""

    side: Side
    trace: Trace
    ids: tuple[int, ...]
    first: int

    def scores(self) -> np.ndarray | None:
        """The log-probability of each word from the first on, (T); None without an output layer."""
        from model.compare.models import scored

        return scored(self.trace, self.ids, self.first) if "logits" in self.trace.values and self.ids else None

    def tokens(self) -> tuple[str, ...]:
        """The words judged, from the first on; of an encoder alone the tokens read."""
        names = models.tokenizer(self.side.entry).tokens
        if self.side.entry.config["architecture"] == "encoder":
            return names(self.side.run().source)
        return names(self.ids[self.first :])


def passes(pair: Pair, of: str) -> tuple[Pass, Pass]:
    """Both passes: over what one of them wrote (`of` is a or b), or, where they share no words, each over its own."""
    both = {"a": pair.a, "b": pair.b}
    added = max(padding(side.changes) for side in pair.sides) if pair.shared else None
    found = []
    for side in pair.sides:
        words = both[of].written() if pair.shared else side.written()
        trace = _passed(side.entry, side.moment, side.changes, side.sentence, words.ids, added)
        found.append(Pass(side, trace, words.ids, words.first))
    return found[0], found[1]


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _passed(
    entry: catalogue.Entry, moment: str, changes: str, sentence: str, ids: Sequence[int], added: int | None
) -> Trace:
    from model.compare.models import passed

    padded = padding(changes) if added is None else added
    edits = _edits(entry, moment, changes, sentence, padded)
    return passed(checkpoint(entry, moment), _run(entry, moment, sentence), ids, edits, padded)
