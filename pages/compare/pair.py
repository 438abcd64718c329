"""The two models that are compared: which they are, what each makes of the sentence, and their passes; cached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from model.analysis import predictions
from model.attribution import norm_based_attention
from model.checkpoint import catalogue, checkpoints, history
from model.compare import side_by_side
from model.decode import translate
from model.edit import change_edits, edited_pass, notation
from model.errors import InvalidInput
from model.trace import AttentionKind, Trace
from pages.shared.links import END, START
from pages.shared.models import models
from pages.shared.text.words import refusal

if TYPE_CHECKING:
    from model.transformer import Transformer


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

    def run(self) -> translate.Translation:
        return _run(self.entry, self.moment, self.sentence)

    def generated(self) -> side_by_side.Generated:
        return _generated(self.entry, self.moment, self.changes, self.sentence)


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
        first, second = ((side.entry.name, side.moment, side.changes) for side in self.sides)
        return first == second


def moments(entry: catalogue.Entry) -> list[str]:
    """The moments of a model that can be run: before training, those saved with weights, and its end."""
    if isinstance(entry, catalogue.Untrained) or not entry.reads_text or "imported" in entry.card:
        return [END]
    return [START, *(str(step) for step in _weights(entry) if step), END]


@models.cached
def _weights(entry: catalogue.Entry) -> dict[int, dict[str, np.ndarray]]:
    """The weights of each moment that a checkpoint's history holds, by step; those of the end are the model itself."""
    weights_by_step = {moment.step: moment.weights for moment in history.load(entry) if moment.weights}
    return {step: weights for step, weights in weights_by_step.items() if step != entry.card["training"]["steps"]}


def checkpoint(entry: catalogue.Entry, moment: str) -> checkpoints.Checkpoint:
    return models.checkpoint(entry) if moment == END else _at(entry, moment)


@models.cached
def _at(entry: catalogue.Entry, moment: str) -> checkpoints.Checkpoint:
    config, tokenizer = entry.config, models.tokenizer(entry)
    if moment == START:
        return side_by_side.with_seed(config, tokenizer, entry.card["training"]["seed"], entry.name)
    return side_by_side.with_weights(config, tokenizer, _weights(entry)[int(moment)], entry.name)


def _model(entry: catalogue.Entry, moment: str) -> Transformer:
    return checkpoint(entry, moment).model


def _run(entry: catalogue.Entry, moment: str, sentence: str) -> translate.Translation:
    return models.run(entry, sentence) if moment == END else _run_at(entry, moment, sentence)


@models.cached(beside="if free")
def _run_at(entry: catalogue.Entry, moment: str, sentence: str) -> translate.Translation:
    run = translate.translate(_at(entry, moment), sentence)
    return replace(run, trace=predictions.without_logits(run.trace, partial(_model, entry, moment)))


def _generated(entry: catalogue.Entry, moment: str, changes: str, sentence: str) -> side_by_side.Generated:
    if not changes:
        return side_by_side.generated(checkpoint(entry, moment), _run(entry, moment, sentence))
    return _generated_changed(entry, moment, changes, sentence)


@models.cached(beside="if free")
def _generated_changed(entry: catalogue.Entry, moment: str, changes: str, sentence: str) -> side_by_side.Generated:
    edits = _edits(entry, moment, changes, sentence)
    return side_by_side.generated(checkpoint(entry, moment), _run(entry, moment, sentence), edits, padding(changes))


def _edits(
    entry: catalogue.Entry, moment: str, changes: str, sentence: str, padding_length: int | None = None
) -> list[edited_pass.Edit]:
    length = padding(changes) if padding_length is None else padding_length
    return change_edits.edits_of_link(checkpoint(entry, moment), _run(entry, moment, sentence), changes, length)


def edits_anywhere(at: checkpoints.Checkpoint, changes: str, sentence: str) -> list[edited_pass.Edit]:
    """The edits of changes that mean the same for every sentence, `sentence` among them."""
    if not changes:
        return []
    return change_edits.edits_of_link(at, translate.translate(at, sentence), changes)


def listed(changes: str) -> list[notation.Change]:
    """The changes of a link."""
    return notation.read(changes)[0]


def padding(changes: str) -> int:
    """Tokens of padding that the changes want behind the sentence."""
    return change_edits.padding(listed(changes))


def unreadable(entry: catalogue.Entry, moment: str, changes: str, sentence: str) -> str:
    """Why a model cannot read the sentence, in a sentence; nothing where it can."""
    try:
        _generated(entry, moment, changes, sentence)
    except InvalidInput as error:
        return refusal(error)
    return ""


def shared(a: Side, b: Side) -> bool:
    """Whether both read the same tokens and are of one architecture, so that a word of one is a word of the other."""
    if a.problem or b.problem or a.entry.config.architecture != b.entry.config.architecture:
        return False
    if not side_by_side.same_vocabulary(models.tokenizer(a.entry), models.tokenizer(b.entry)):
        return False
    longest = min(side.entry.config.max_length for side in (a, b))
    return max(len(side.generated().ids) for side in (a, b)) <= longest


# passes


@dataclass(frozen=True, eq=False)
class Pass:
    """Pass of one side: its trace, and the words that were judged, behind each token that was read."""

    side: Side
    trace: Trace
    ids: tuple[int, ...]
    first: int

    def scores(self) -> np.ndarray | None:
        """The log-probability of each word from the first on, (T); None without an output layer."""
        return (
            side_by_side.scored(self.trace, self.ids, self.first)
            if "logits" in self.trace.values and self.ids
            else None
        )

    def norms(self) -> dict[AttentionKind, np.ndarray]:
        """Shares of norms in place of the weights of each kind of attention, (L, H, Q, K)."""
        return norm_based_attention.of_every_kind(checkpoint(self.side.entry, self.side.moment).model, self.trace)

    def tokens(self) -> tuple[str, ...]:
        """The words judged, from the first on; of an encoder alone the tokens read."""
        names = models.tokenizer(self.side.entry).tokens
        if self.side.entry.config.architecture == "encoder":
            return names(self.side.run().source)
        return names(self.ids[self.first :])


def passes(pair: Pair, of: str) -> tuple[Pass, Pass]:
    """Both passes: over what one of them wrote (`of` is a or b), or, where they share no words, each over its own."""
    both = {"a": pair.a, "b": pair.b}
    padding_length = max(padding(side.changes) for side in pair.sides) if pair.shared else None
    both_passes = []
    for side in pair.sides:
        words = both[of].generated() if pair.shared else side.generated()
        if side.changes or padding_length or words.ids != side.generated().ids:
            trace = _passed(side.entry, side.moment, side.changes, side.sentence, words.ids, padding_length)
        else:
            trace = side.run().trace
        both_passes.append(Pass(side, trace, words.ids, words.first))
    return both_passes[0], both_passes[1]


@models.cached(beside="if free")
def _passed(
    entry: catalogue.Entry, moment: str, changes: str, sentence: str, ids: Sequence[int], padding_length: int | None
) -> Trace:
    padded = padding(changes) if padding_length is None else padding_length
    edits = _edits(entry, moment, changes, sentence, padded)
    trace = side_by_side.passed(checkpoint(entry, moment), _run(entry, moment, sentence), ids, edits, padded)
    return trace if edits else predictions.without_logits(trace, partial(_model, entry, moment))
