"""A training run: training with reports, sample outputs, probe attention and snapshots."""

import math
import time
from collections.abc import Iterator, Sequence

import torch

from corpora.task_list import tasks
from corpora.tasks.user_text import WRITTEN, Passage
from model.analysis import energy
from model.checkpoint import checkpoints
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.snapshots import ProbeAttention, Sample, Snapshot, halved, probe_of
from model.decode.greedy import greedy_in_batches
from model.decode.recorded_pass import trace
from model.device import placed
from model.edit.edited_pass import compose
from model.edit.edits import allow
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS
from model.trace import silent
from model.train import check_settings, data, model_config, run_settings
from model.train.induction import TEXTS, Induction, measured
from model.train.limits import LIMITS, Limits
from model.train.report import Evaluation, RunReport
from model.train.run_settings import RunSettings
from model.train.schedule import SNAPSHOTS, schedule
from model.train.trainer import Trainer, Update
from model.transformer import Transformer

WATCHED = 64  # held-out pairs of the validation loss
JUDGED = 32  # held-out pairs, and as many training pairs, that are decoded at each evaluation
JUDGED_CLOSELY = 128  # where two tokens are to be written
JUDGED_LAST = 500, 200  # held-out and training pairs that are decoded at the end
SHOWN = 8  # samples of each kind in a report
SNAPSHOT_BYTES = 48_000_000  # of the weights of all snapshots of a run; the last snapshot always has weights


class Run:
    """A training run. Between two reports it can be interrupted, and later resumed from `state()`.

    `ended` says why a run ended early; None if it finished or is not over.
    """

    def __init__(self, settings: RunSettings, state: dict | None = None, limits: Limits = LIMITS):
        check_settings.check(settings, limits)
        self.settings = settings
        self.task = tasks()[settings.task]
        self.limits = limits
        self.prepared = data.prepare(settings)
        self.config = model_config.config(settings, self.prepared)
        corpus = self.prepared.corpus
        torch.manual_seed(settings.seed)
        model = placed(Transformer(self.config))
        tap = silent if settings.causal_mask else compose(model, allow("decoder.*.self_attention"))
        self.trainer = Trainer(
            model,
            run_settings.training(settings),
            lambda epoch: data.examples(self.config, self.prepared, epoch),
            corpus.watched(self.prepared.tokenizer)
            if isinstance(corpus, Passage)
            else data.encoded(self.config, self.prepared, corpus.validation()[:WATCHED]),
            tap=tap,
        )
        self.held_out = [pair for pairs in corpus.tests().values() for pair in pairs]
        self.learned = corpus.train(0)[: JUDGED_LAST[1]]
        self.judged = JUDGED_CLOSELY if self.task.shows == "grokking" else JUDGED
        self.sentence = settings.sentence or self.held_out[0].source
        self.ended: InvalidInput | None = None
        self.stopped = False
        self.trained = self.evaluated = 0.0  # seconds
        self.reported_untrained = state is not None
        if state is not None:
            state = dict(state)
            self.trained, self.evaluated = state.pop("seconds")
            self.trainer.resume(state)

    def state(self) -> dict[str, object]:
        """Everything that is needed to resume a run with the same settings."""
        return {**self.trainer.state(), "seconds": [self.trained, self.evaluated]}

    def stop(self) -> None:
        """End after the current step. The last report evaluates the model and has a snapshot."""
        self.stopped = True

    def reports(self) -> Iterator[RunReport]:
        """Train to the end. The first report is of the untrained model, the last of the trained one."""
        plan = schedule(self.settings)
        if not self.reported_untrained:
            self.reported_untrained = True
            yield self._report([], 0.0, evaluates=True, saves=True)
        updates: list[Update] = []
        since = time.monotonic()
        for update in self.trainer.updates():
            updates.append(update)
            step, seconds = self.trainer.step, time.monotonic() - since
            last = self._over(update.loss, seconds) or step == self.settings.steps
            if math.isnan(update.loss):
                return
            if not (last or plan.reports(step)):
                continue
            evaluates, saves = last or step in plan.evaluations, last or step in plan.snapshots
            yield self._report(updates, seconds, evaluates=evaluates, saves=saves, last=last)
            if last:
                return
            updates = []
            since = time.monotonic()

    def _over(self, loss: float, seconds: float) -> bool:
        """Whether the run must end now, after so many seconds of training since the last report.

        Sets `ended` if it has diverged or exceeds the limit of time.
        """
        if math.isnan(loss):
            self.ended = InvalidInput("run_diverged", step=self.trainer.step)
        elif self.trained + self.evaluated + seconds > self.limits.seconds:
            self.ended = self.limits.out_of_time(self.trainer.step)
        return self.stopped or self.ended is not None

    def _report(
        self, updates: Sequence[Update], training: float, *, evaluates: bool, saves: bool, last: bool = False
    ) -> RunReport:
        """The report of `updates`, which took `training` seconds; `saves` a snapshot if it `evaluates` the model."""
        self.trained += training
        start = time.monotonic()
        evaluation = self.evaluation(*(JUDGED_LAST if last else (self.judged, self.judged))) if evaluates else None
        moment = self.moment(evaluation, last) if saves and evaluation else None
        self.evaluated += time.monotonic() - start
        seconds, step = self.trained + self.evaluated, self.trainer.step
        loss_before = evaluation.validation_loss if evaluation else math.nan
        return RunReport(
            step=step,
            steps=self.settings.steps,
            loss=sum(update.loss for update in updates) / len(updates) if updates else loss_before,
            learning_rate=updates[-1].learning_rate if updates else 0.0,
            gradient_norm=updates[-1].gradient_norm if updates else 0.0,
            steps_per_second=len(updates) / max(1e-9, training),
            seconds=seconds,
            seconds_left=0.0 if last else seconds / step * (self.settings.steps - step) if step else math.nan,
            evaluation_share=self.evaluated / max(1e-9, seconds),
            evaluation=evaluation,
            moment=moment,
        )

    def evaluation(self, unseen: int = JUDGED, seen: int = JUDGED) -> Evaluation:
        """Evaluate the averaged weights: loss, and outputs for `unseen` held-out and `seen` training sources.

        Draws no random number, so that evaluating does not change the training.
        """
        loss, accuracy = self.trainer.measure()
        continues_text = isinstance(self.prepared.corpus, Passage)
        cases = [(pair, True) for pair in self.held_out[: SHOWN if continues_text else unseen]]
        cases += [(pair, False) for pair in self.learned[: 0 if continues_text else seen]]
        sources = [pair.source for pair, _ in cases]
        if continues_text:  # all prompts have one length, but the probe sentence may have another
            outputs, probe = self._generated(sources), self.probe()
        else:
            *outputs, probe_output = self._generated([*sources, self.sentence])
            probe = self.probe(probe_output)
        decode = self.prepared.tokenizer.decode
        samples = [
            Sample(*pair, decode(output), held_out) for (pair, held_out), output in zip(cases, outputs, strict=True)
        ]
        held_out = [sample for sample in samples if sample.held_out]
        training_samples = [sample for sample in samples if not sample.held_out]
        # all samples of a small task are shown
        most = len(training_samples) if len(self.learned) <= 3 * SHOWN else SHOWN
        return Evaluation(
            validation_loss=loss,
            token_accuracy=accuracy,
            exact_held_out=None if continues_text else _exact(held_out),
            exact_training=None if continues_text else _exact(training_samples),
            held_out=len(held_out),
            training=len(training_samples),
            samples=(*held_out[:SHOWN], *training_samples[:most]),
            energy=energy.of_model(self.trainer.average, "source" if self.config.source_vocabulary else "target"),
            induction=self.induction(),
            probe=probe,
        )

    def induction(self) -> Induction | None:
        """How repeated letters are looked up; None for other tasks."""
        if self.task.shows != "induction":
            return None
        texts = self.prepared.tokenizer.encode_all([pair.source + pair.target for pair in self.held_out[:TEXTS]])
        return measured(self.trainer.average, [ids[:-1] for ids in texts])

    def probe(self, output: Sequence[int] | None = None) -> ProbeAttention:
        """The attention of one pass over the probe sentence and the model's output for it."""
        model, tokenizer = self.trainer.average, self.prepared.tokenizer
        ids = tokenizer.encode(self.sentence)
        output = self._generated([self.sentence])[0] if output is None else output
        if self.config.architecture == "decoder":
            recording = trace(model, tokenizer, [], [*ids[:-1], *output][:-1])
        else:
            recording = trace(model, tokenizer, ids, [BOS, *output[:-1]])
        return probe_of(self.sentence, tokenizer.decode(output), recording)

    def moment(self, evaluation: Evaluation, last: bool = False) -> Snapshot:
        """A snapshot of the averaged weights, with the evaluation just made."""
        parameters = dict(self.trainer.average.named_parameters())
        has_weights = last or SNAPSHOTS * sum(2 * value.numel() for value in parameters.values()) <= SNAPSHOT_BYTES
        weights = halved(parameters) if has_weights else {}
        probe = evaluation.probe or self.probe()
        table = self.trainer.average.target_embedding.weight.detach().half().cpu().numpy()
        embedding = table if self.task.shows == "grokking" else None
        return Snapshot(self.trainer.step, probe, evaluation.samples, evaluation.energy, weights, embedding)

    def _generated(self, texts: Sequence[str]) -> list[list[int]]:
        """The greedy output for each source."""
        sources = self.prepared.tokenizer.encode_all(list(texts))
        if self.config.architecture == "decoder":
            sources = [ids[:-1] for ids in sources]
        outputs = greedy_in_batches(self.trainer.average, sources, lambda longest: self._limit(), batch=128)
        return [list(each.ids) for each in outputs]

    def _limit(self) -> int:
        """The limit of tokens to write: the length of the longest target, `<eos>` included."""
        return WRITTEN if self.task.alone else self.prepared.longest[1]


def run(settings: RunSettings, limits: Limits = LIMITS) -> Iterator[RunReport]:
    """The reports of a whole run."""
    yield from Run(settings, limits=limits).reports()


def checkpoint(settings: RunSettings, moment: Snapshot, name: str) -> Checkpoint:
    """The model of a snapshot. Raises `InvalidInput` if the snapshot has no weights."""
    if not moment.weights:
        raise InvalidInput("job_empty")
    content = data.prepare(settings)
    model = checkpoints.random_model(model_config.config(settings, content), settings.seed)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(moment.weights[key]))
    return Checkpoint(name, model, content.tokenizer)


def _exact(samples: Sequence[Sample]) -> float:
    return sum(sample.right for sample in samples) / max(1, len(samples))
