"""Training of a dictionary as a run of the queue.

Its reports have the fraction of variance unexplained as their loss, and three more numbers: that fraction and the share
of dead features, of the vectors since the last report, and the recovered score, chrF of 0 to 100 on held-out sentences.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import entry_of
from model.checkpoint.snapshots import Snapshot, of_weights
from model.errors import InvalidInput
from model.features import make_dictionary, scores, sentences, sites, splice, training
from model.features.dictionary import Dictionary, normalised
from model.features.examples import activations
from model.features.store import Stored
from model.features.training import Settings, Trainer, Update
from model.train.job import ShortTask
from model.train.limits import Limits
from model.train.report import RunReport

STEPS = 3000  # about a minute on one core, for the vectors of our translators
REPORTS = 30
SCORED = 5  # reports between recovered scores
JUDGED = 50  # sentences of a recovered score
SECONDS_A_STEP = 0.02  # for 1,152 features of 144 numbers


@dataclass(frozen=True)
class FeatureTask(ShortTask):
    """One run. `folder` is that of the checkpoint; `lines` are sentences for one that has no corpus of ours.

    features 0 means eight for each number of a vector; site "" the one to begin with.
    """

    folder: str
    site: str = ""
    features: int = 0
    active: int = 8
    steps: int = STEPS
    seed: int = 0
    lines: tuple[str, ...] = ()

    @property
    def settings(self) -> FeatureTask:
        """The task itself."""
        return self

    def training(self) -> Settings:
        """The settings of the training."""
        return Settings(features=self.features, active=self.active, steps=self.steps, seed=self.seed)

    def check(self, limits: Limits) -> float:
        """About how many seconds it takes on one core; raises `InvalidInput` for what cannot run."""
        training.check(self.training())
        entry = entry_of(self.folder)
        config = entry.config
        sites.find(config, self.site)
        if not self.lines and not sentences.has_corpus(entry):
            raise InvalidInput("features_lines", name=entry.name)
        width = (self.features or training.WIDER * config.d_model) * config.d_model / (1152 * 144)
        return 20.0 + SECONDS_A_STEP * self.steps * max(0.2, width)

    def start(self, limits: Limits, state: dict | None = None) -> FeatureRun:
        """The run, from its beginning or from a saved state."""
        return FeatureRun(self, limits, state)


class FeatureRun:
    """A run for a worker, as `model.train.training_run.Run` is. Its last report has the moment with the weights."""

    def __init__(self, task: FeatureTask, limits: Limits, state: dict | None = None):
        self.task, self.limits = task, limits
        self.ended: InvalidInput | None = None
        self.stopped = False
        entry = entry_of(task.folder)
        self.checkpoint = checkpoints.load(entry)
        self.site = sites.find(self.checkpoint.model.config, task.site)
        self.began, self.before = time.monotonic(), 0.0
        texts = sentences.of(self.checkpoint, entry, self.site.side, task.lines)
        given = sites.vectors(self.checkpoint, self.site, sites.reads(self.checkpoint, texts.learned, self.site.side))
        self.judged = texts.held_out[:JUDGED]
        self.own = scores.outputs(self.checkpoint, self.judged)
        trainer_state = None
        if state is not None:
            self.before, trainer_state = state["seconds"], state["trainer"]
        self.trainer = Trainer(given.inputs, given.targets, task.training(), trainer_state)

    def stop(self) -> None:
        """End after the report that is under way."""
        self.stopped = True

    def state(self) -> dict[str, object]:
        """Everything that is needed to go on with it."""
        return {"trainer": self.trainer.state(), "seconds": self._seconds()}

    def reports(self) -> Iterator[RunReport]:
        """Train; each report has a moment with the dictionary so far where its recovered score is measured."""
        for number, update in enumerate(self.trainer.updates(max(1, math.ceil(self.task.steps / REPORTS))), 1):
            is_last = update.step == update.steps or self.stopped or self._seconds() > self.limits.seconds
            yield self._report(update, judged=is_last or number % SCORED == 0, keeps=is_last)
            if self._seconds() > self.limits.seconds:
                self.ended = self.limits.out_of_time(update.step)
            if is_last or self.ended:
                return

    def _seconds(self) -> float:
        return self.before + time.monotonic() - self.began

    def _report(self, update: Update, *, judged: bool, keeps: bool) -> RunReport:
        numbers = {"unexplained": update.variance_unexplained, "dead": update.dead}
        dictionary = self.trainer.dictionary() if judged or keeps else None
        if judged and dictionary is not None and any(self.own):
            edit = splice.spliced(self.site, dictionary)
            numbers["spliced"] = scores.chrf(scores.outputs(self.checkpoint, self.judged, edit), self.own)[0]
        moment = None
        if dictionary is not None:
            moment = of_weights(update.step, dictionary.tensors(), dictionary.decoder.size(0))
        seconds = self._seconds()
        return RunReport(
            step=update.step,
            steps=update.steps,
            loss=update.variance_unexplained,
            learning_rate=update.learning_rate,
            gradient_norm=0.0,
            steps_per_second=update.step / max(seconds, 1e-6),
            seconds=seconds,
            seconds_left=seconds / update.step * (update.steps - update.step),
            evaluation_share=0.0,
            moment=moment,
            measured=numbers,
        )


def stored_of(task: FeatureTask, moment: Snapshot) -> Stored:
    """The dictionary of a run with the activations on its held-out sentences; its card has no scores."""
    entry = entry_of(task.folder)
    checkpoint = checkpoints.load(entry)
    site = sites.find(checkpoint.model.config, task.site)
    tensors = {name: torch.from_numpy(value) for name, value in moment.weights.items()}
    dictionary = normalised(tensors, task.active)
    texts = sentences.of(checkpoint, entry, site.side, task.lines)
    return stored(checkpoint, site, dictionary, texts.held_out, {"settings": asdict(task.training())})


def stored(
    checkpoint: checkpoints.Checkpoint,
    site: sites.Site,
    dictionary: Dictionary,
    held_out: tuple[str, ...],
    card: dict[str, Any],
) -> Stored:
    """A dictionary with its activations on held-out sentences."""
    given = sites.vectors(checkpoint, site, sites.reads(checkpoint, held_out, site.side))
    tokens = tuple(checkpoint.tokenizer.tokens(read.ids(site.side), begins=True) for read in given.reads)
    active = activations(dictionary, given, tokens, site.side).first(make_dictionary.STORED)
    return Stored(dictionary, active, {"site": site.name} | card)
