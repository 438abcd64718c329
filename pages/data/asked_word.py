"""The word of the output that is asked about, and what the methods say of every training sentence; kept for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.analysis import predictions
from model.checkpoint import catalogue
from model.influence import methods, retraining, small_task, stored_index
from model.measurements.training_data import influence_scores
from pages.shared.load import workers
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import token_picker

if TYPE_CHECKING:
    from model.influence.stored_index import StoredIndex  # it loads torch

STAGES = 12  # parts of a training, between which the user is heard
Part = tuple[str, int]  # of the work of a method: its kind and number
State = tuple[int, int] | None  # of a file
SMALL = "small-de-en"  # the checkpoint that was made to be trained again


@dataclass(frozen=True)
class AskedWord:
    """A word of the output of the sentence in view; `row` is the step that writes it."""

    entry: catalogue.Entry
    sentence: str
    row: int
    token: str

    @property
    def asked(self) -> retraining.Asked:
        """The question as the model's functions take it."""
        return retraining.asked(models.run(self.entry, self.sentence), self.row)

    @property
    def probability(self) -> float:
        """What the model in view gives the word."""
        run = models.run(self.entry, self.sentence)
        return float(np.exp(predictions.log_probabilities(run.trace, run.ids)[self.row]))


def picked(current_run: CurrentRun) -> AskedWord | None:
    """Draw the words of the output to choose from; None where there is none."""
    tokens = models.run(current_run.entry, current_run.sentence).trace.output_tokens
    rows = influence_scores.rows(tokens)
    if not rows:
        return None
    row = rows[token_picker.longest_first("step", words("data_word.word"), [tokens[row] for row in rows])]
    return AskedWord(current_run.entry, current_run.sentence, row, tokens[row])


def recorded(entry: catalogue.Entry) -> influence_scores.Saved | None:
    """What was measured of the methods: of this model, else of the checkpoint that was made for it."""
    small = catalogue.entries().get(SMALL)
    own = influence_scores.MEASUREMENT.saved(entry)
    return own or (influence_scores.MEASUREMENT.saved(small) if small else None)


@models.cached
def is_small(entry: catalogue.Entry) -> bool:
    """Whether the model can be trained again here."""
    models.torch_of_one_thread()
    return small_task.can_train_again(entry)


@models.cached
def task(entry: catalogue.Entry) -> small_task.SmallTask:
    """What the model learned from."""
    return small_task.of(entry)


@models.cached
def _index(entry: catalogue.Entry) -> methods.Index:
    """The one place where what a method needs is kept: in the process that computes the scores."""
    return methods.Index(task(entry), models.checkpoint(entry).model)


def missing(entry: catalogue.Entry, names: Sequence[str]) -> list[Part]:
    """The parts of the work that methods need for any word and that are not done."""
    return workers.compute(_missing, entry, tuple(names))


def _missing(entry: catalogue.Entry, names: Sequence[str]) -> list[Part]:
    models.torch_of_one_thread()
    return list(dict.fromkeys(part for name in names for part in _index(entry).missing(name)))


def prepare(entry: catalogue.Entry, part: str, number: int) -> None:
    """Do such a part."""
    workers.compute(_prepare, entry, part, number)


def _prepare(entry: catalogue.Entry, part: str, number: int) -> None:
    models.torch_of_one_thread()
    _index(entry).part(part, number)


@models.cached(beside="always")
def scores(entry: catalogue.Entry, method: str, asked: retraining.Asked) -> np.ndarray:
    """How much each training sentence speaks for the word by a method, (N)."""
    return _index(entry).scores(method, [asked])[0]


def stored_state(entry: catalogue.Entry) -> State:
    """What changes when the index of a larger model is made again, for caches; None where none is there."""
    return catalogue.file_state(str(entry.folder / stored_index.FILE))


def stored(entry: catalogue.Entry) -> StoredIndex | None:
    """The index of training sentences that was made for a larger model; None without one of its weights."""
    return _stored(entry, state) if (state := stored_state(entry)) else None


@models.cached
def _stored(entry: catalogue.Entry, state: State) -> StoredIndex | None:
    return stored_index.load(entry.folder, models.checkpoint(entry))


@models.cached(beside="always")
def _stage(entry: catalogue.Entry, change: retraining.Change, seed: int, number: int) -> retraining.Stage:
    models.torch_of_one_thread()
    before = _stage(entry, change, seed, number - 1) if number > 1 else None
    return retraining.stage(task(entry), change, seed, number, STAGES, before)


def trained(entry: catalogue.Entry, change: retraining.Change, seed: int, number: int) -> retraining.Weights:
    """The averaged weights of a training with a change after `number` of its `STAGES`."""
    return retraining.weights_in(task(entry).config, _stage(entry, change, seed, number).state["average"])
