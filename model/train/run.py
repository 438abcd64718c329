"""A run: training with reports to look at, samples, attention and saved moments; it knows neither page nor process."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from model.analysis import energy
from model.analysis.energy import Energy
from model.checkpoint import load as checkpoints
from model.checkpoint.load import Checkpoint
from model.checkpoint.snapshots import ProbeAttention, Sample, Snapshot, look_of
from model.corpora.tasks.user_text import WRITTEN, Passage
from model.decode.greedy import greedy, trace
from model.edit.edits import allow, compose
from model.errors import InvalidInput
from model.tokenizer import BOS
from model.trace import silent
from model.train import settings as run_settings
from model.train.settings import LIMITS, Limits, RunSettings
from model.train.snapshot_schedule import SNAPSHOTS, STEPS_APART, snapshot_steps
from model.train.trainer import Trainer
from model.transformer import Transformer

REPORTS = 200  # about so many of a run, but at least one every ten steps, so that it can be paused
EVALUATIONS = 10  # evenly spaced, beside those of the moments; fewer of a run that is over at once
WATCHED = 64  # held-out pairs whose loss is measured at each evaluation
JUDGED = 32  # held-out pairs, and as many learned ones, that are written out then
JUDGED_LAST = 500, 200  # held out and learned, at the last
SHOWN = 8  # samples of either kind
MOMENT_BYTES = 48_000_000  # of weights that all moments of a run may take; the last has them always


@dataclass(frozen=True)
class Evaluation:
    """What the averaged weights can do. Validation loss in nats per token; accuracy is told all tokens before each.

    exact_held_out, exact_training   share of `held_out` and `training` sources whose whole output is right;
                                     None for the task of going on, which has no one right answer
    """

    validation_loss: float
    token_accuracy: float
    exact_held_out: float | None
    exact_training: float | None
    held_out: int
    training: int
    samples: tuple[Sample, ...]
    energy: Energy
    look: ProbeAttention | None  # None where it is told elsewhere


@dataclass(frozen=True)
class RunReport:
    """What happened since the last report: mean loss in nats per target token, and the last step's rate and gradient.

    Times in seconds. `evaluation_share` is the share of the time so far that went into all but training.
    """

    step: int
    steps: int
    loss: float
    learning_rate: float
    gradient_norm: float
    steps_per_second: float
    seconds: float
    seconds_left: float
    evaluation_share: float
    evaluation: Evaluation | None = None
    moment: Snapshot | None = None


class Run:
    """A training run. Between two reports it can be left, and gone on with from `state()` as if it had not been.

    `ended` says why a run came to no proper end, `None` where it did or may still.
    """

    def __init__(self, settings: RunSettings, state: dict | None = None, limits: Limits = LIMITS):
        run_settings.check(settings, limits)
        self.settings = settings
        self.limits = limits
        self.prepared = run_settings.prepare(settings)
        self.config = run_settings.config(settings, self.prepared)
        corpus = self.prepared.corpus
        torch.manual_seed(settings.seed)
        model = Transformer(self.config)
        tap = silent if settings.causal_mask else compose(model, allow("decoder.*.self_attention"))
        self.trainer = Trainer(
            model,
            run_settings.training(settings),
            lambda epoch: run_settings.examples(self.config, self.prepared, epoch),
            corpus.watched(self.prepared.tokenizer)
            if isinstance(corpus, Passage)
            else run_settings.encoded(self.config, self.prepared, corpus.validation()[:WATCHED]),
            tap=tap,
        )
        self.held_out = [pair for pairs in corpus.tests().values() for pair in pairs]
        self.learned = corpus.train(0)[: JUDGED_LAST[1]]
        self.sentence = settings.sentence or self.held_out[0].source
        self.ended: InvalidInput | None = None
        self.stopped = False
        self.trained = self.evaluated = 0.0  # seconds
        self.begun = state is not None  # a model that has learned nothing is reported once
        if state is not None:
            state = dict(state)
            self.trained, self.evaluated = state.pop("seconds")
            self.trainer.resume(state)

    def state(self) -> dict[str, object]:
        """Everything that another run of the same settings needs to go on."""
        return {**self.trainer.state(), "seconds": [self.trained, self.evaluated]}

    def stop(self) -> None:
        """End after the step at hand; what has been learned is evaluated and kept."""
        self.stopped = True

    def reports(self) -> Iterator[RunReport]:
        """Train to the end. The first report is of the model that has learned nothing, the last of all it has."""
        settings = self.settings
        every = max(1, min(10, settings.steps // REPORTS))
        moments = snapshot_steps(settings.steps)
        count = max(1, min(EVALUATIONS, settings.steps // (5 * STEPS_APART)))
        evaluations = moments | {round(settings.steps * i / count) for i in range(count + 1)}
        if not self.begun:
            self.begun = True
            yield self._report([], 0.0, 0.0, 0.0, moment=True)
        losses: list[float] = []
        since, first = time.monotonic(), self.trainer.step
        for update in self.trainer.updates():
            losses.append(update.loss)
            step = self.trainer.step
            last = self._over(update.loss, since) or step == settings.steps
            if math.isnan(update.loss):
                return
            if not (last or step % every == 0 or step in evaluations):
                continue
            now = time.monotonic()
            self.trained += now - since
            rate = (step - first) / max(1e-9, now - since)
            moment = last or step in moments
            arguments = losses, update.learning_rate, update.gradient_norm, rate
            yield self._report(*arguments, moment=moment, evaluate=moment or step in evaluations, last=last)
            if last:
                return
            losses = []
            since, first = time.monotonic(), step

    def _over(self, loss: float, since: float) -> bool:
        """Whether the run must end here."""
        if math.isnan(loss):
            self.ended = InvalidInput("run_diverged", step=self.trainer.step)
        elif self.trained + self.evaluated + time.monotonic() - since > self.limits.seconds:
            self.ended = InvalidInput("run_time", step=self.trainer.step, minutes=f"{self.limits.seconds / 60:g}")
        return self.stopped or self.ended is not None

    def _report(
        self,
        losses: list[float],
        rate: float,
        norm: float,
        speed: float,
        *,
        moment: bool = False,
        evaluate: bool = True,
        last: bool = False,
    ) -> RunReport:
        started = time.monotonic()
        evaluation = self.evaluation(*(JUDGED_LAST if last else (JUDGED, JUDGED))) if evaluate or moment else None
        saved = self.moment(evaluation, last) if moment and evaluation else None
        self.evaluated += time.monotonic() - started
        seconds, step = self.trained + self.evaluated, self.trainer.step
        return RunReport(
            step=step,
            steps=self.settings.steps,
            loss=sum(losses) / len(losses) if losses else evaluation.validation_loss if evaluation else math.nan,
            learning_rate=rate,
            gradient_norm=norm,
            steps_per_second=speed,
            seconds=seconds,
            seconds_left=0.0 if last else seconds / step * (self.settings.steps - step) if step else math.nan,
            evaluation_share=self.evaluated / max(1e-9, seconds),
            evaluation=evaluation,
            moment=saved,
        )

    def evaluation(self, unseen: int = JUDGED, seen: int = JUDGED) -> Evaluation:
        """Measure, and write out so many of either, with the averaged weights; draws no random number."""
        loss, accuracy = self.trainer.measure()
        going_on = isinstance(self.prepared.corpus, Passage)
        asked = [(pair, True) for pair in self.held_out[: SHOWN if going_on else unseen]]
        asked += [(pair, False) for pair in self.learned[: 0 if going_on else seen]]
        sources = [pair.source for pair, _ in asked]
        if going_on:  # prompts are all of one length, but the sentence that is watched need not be
            outputs, look = self._written(sources), self.look()
        else:
            *outputs, watched = self._written([*sources, self.sentence])
            look = self.look(watched)
        decode = self.prepared.tokenizer.decode
        samples = [Sample(*pair, decode(output), held) for (pair, held), output in zip(asked, outputs, strict=True)]
        held = [sample for sample in samples if sample.held_out]
        learned = [sample for sample in samples if not sample.held_out]
        shown = len(learned) if len(self.learned) <= 3 * SHOWN else SHOWN  # a small task is seen whole
        return Evaluation(
            validation_loss=loss,
            token_accuracy=accuracy,
            exact_held_out=None if going_on else _exact(held),
            exact_training=None if going_on else _exact(learned),
            held_out=len(held),
            training=len(learned),
            samples=(*held[:SHOWN], *learned[:shown]),
            energy=energy.of_model(self.trainer.average, "source" if self.config.source_vocabulary else "target"),
            look=look,
        )

    def look(self, written: Sequence[int] | None = None) -> ProbeAttention:
        """One pass over the watched sentence and what the model writes after it."""
        model, tokenizer = self.trainer.average, self.prepared.tokenizer
        ids = tokenizer.encode(self.sentence)
        written = self._written([self.sentence])[0] if written is None else written
        if self.config.architecture == "decoder":
            passed = trace(model, tokenizer, [], [*ids[:-1], *written][:-1])
        else:
            passed = trace(model, tokenizer, ids, [BOS, *written[:-1]])
        return look_of(self.sentence, tokenizer.decode(written), passed)

    def moment(self, evaluation: Evaluation, last: bool = False) -> Snapshot:
        """The averaged weights as they are, with what they were just seen to do."""
        named = list(self.trainer.average.named_parameters())
        kept = last or SNAPSHOTS * sum(2 * value.numel() for _, value in named) <= MOMENT_BYTES
        weights = {name: value.detach().half().numpy() for name, value in named} if kept else {}
        look = evaluation.look or self.look()
        return Snapshot(self.trainer.step, look, evaluation.samples, evaluation.energy, weights)

    def _written(self, texts: Sequence[str]) -> list[list[int]]:
        """What the model writes for each source, like lengths together; prompts to go on from must be of one."""
        sources = self.prepared.tokenizer.encode_all(list(texts))
        if self.config.architecture == "decoder":
            sources = [ids[:-1] for ids in sources]
        written: list[list[int]] = [[]] * len(sources)
        order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
        for start in range(0, len(order), 128):
            chosen = order[start : start + 128]
            decoded = greedy(self.trainer.average, [sources[i] for i in chosen], self._limit())
            for i, result in zip(chosen, decoded, strict=True):
                written[i] = list(result.ids)
        return written

    def _limit(self) -> int:
        """Tokens to write: the longest target and its <eos>, so that one without an end costs no more."""
        return WRITTEN if self.config.architecture == "decoder" else self.prepared.longest[1]


def run(settings: RunSettings, limits: Limits = LIMITS) -> Iterator[RunReport]:
    """The reports of a whole run."""
    yield from Run(settings, limits=limits).reports()


def checkpoint(settings: RunSettings, moment: Snapshot, name: str) -> Checkpoint:
    """The model of a moment; raises `InvalidInput` where it was saved without its weights."""
    if not moment.weights:
        raise InvalidInput("job_empty")
    prepared = run_settings.prepare(settings)
    model = checkpoints.random_model(run_settings.config(settings, prepared), settings.seed)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(moment.weights[key]))
    return Checkpoint(name, model, prepared.tokenizer)


def _exact(samples: Sequence[Sample]) -> float:
    return sum(sample.right for sample in samples) / max(1, len(samples))
