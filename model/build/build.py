"""Make a checkpoint: from its recipe, with training that can be resumed, or from a run that somebody keeps."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import torch

from model import presets
from model.analysis import energy
from model.build import cards
from model.build.evaluation import Judged, judge, written
from model.build.recipes import Recipe, RunRecipe
from model.checkpoint import history
from model.checkpoint import load as checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.history import Point
from model.checkpoint.load import Checkpoint
from model.checkpoint.snapshots import Snapshot, look_of
from model.config import TransformerConfig
from model.corpora.corpus import Corpus
from model.corpora.pairs import Example
from model.decode.translate import translate
from model.errors import InvalidInput
from model.tokenizer import Tokenizer, words_of
from model.train import settings as run_settings
from model.train import tasks
from model.train.run import Run, RunReport
from model.train.settings import Limits, RunSettings
from model.train.snapshot_schedule import snapshot_steps
from model.train.trainer import Report, Trainer, TrainingSettings
from model.transformer import Transformer

SAVE_EVERY = 500  # steps, or a fourth of a shorter run
WATCHED = 8  # validation sentences that each moment of a history tells
LIMITS = Limits(seconds=1e9, steps=1_000_000)  # a recipe takes the time that it takes
Progress = Callable[[Report | RunReport], object]


def build(recipe: Recipe | RunRecipe, out: Path, progress: Progress) -> Entry:
    """Train into `out`; an unfinished run in `out` goes on where it was last saved."""
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    entry = _build_run(recipe, out, progress) if isinstance(recipe, RunRecipe) else _build(recipe, out, progress)
    (out / _Unfinished.FILE).unlink(missing_ok=True)
    return entry


def keep_run(
    folder: Path, settings: RunSettings, reports: Sequence[RunReport], moments: Sequence[Snapshot], name: str = ""
) -> Entry:
    """Write a run, whose last report evaluates and whose last moment holds its weights, as a checkpoint folder.

    What it scores is what that report says. `name` is what the card calls it, the folder's by default.
    Raises `InvalidInput` for a run that has saved nothing.
    """
    corpus = run_settings.prepare(settings).corpus
    last = next((report for report in reversed(reports) if report.evaluation), None)
    if last is None or last.evaluation is None or not moments:
        raise InvalidInput("job_empty")
    judged = cards.judged_by_run(settings.task, corpus.name, last.evaluation)
    recipe = RunRecipe(name="", settings=settings, examples=_examples(settings, corpus))
    curve = [_point(report) for report in reports]
    return _keep(recipe, folder, moments, curve, last.step, last.seconds / 60, judged, name)


def describe(recipe: Recipe | RunRecipe, entry: Entry) -> None:
    """Evaluate a checkpoint of the recipe again, and write its card and example anew."""
    if isinstance(recipe, RunRecipe):
        task = cards.task_of_run(recipe.settings.task)
    else:
        task = tasks.TASKS[checkpoints.config_of(entry).architecture]
    corpus, checkpoint = recipe.corpus(recipe.seed), checkpoints.load(entry)
    judged = judge(checkpoint, task, corpus)
    _describe(recipe, checkpoint, entry, corpus, judged, entry.card["training"])


# a run


def _build_run(recipe: RunRecipe, out: Path, progress: Progress) -> Entry:
    unfinished = _Unfinished(out, recipe)
    state = unfinished.load()
    moments, curve = unfinished.history(state["progress"][0] if state else -1)
    settings = recipe.settings
    run = Run(replace(settings, sentence=settings.sentence or recipe.examples[0]), state or None, LIMITS)
    saved_at = run.trainer.step
    for report in run.reports():
        progress(report)
        curve.append(_point(report))
        if report.moment:
            moments.append(report.moment)
        if report.step - saved_at >= min(SAVE_EVERY, settings.steps / 4) and report.step < settings.steps:
            saved_at = report.step
            unfinished.save(run.state(), moments, curve)
    if run.ended:
        raise run.ended
    return _keep(recipe, out, moments, curve, settings.steps, unfinished.minutes())


def _keep(
    recipe: RunRecipe,
    folder: Path,
    moments: Sequence[Snapshot],
    curve: Sequence[Point],
    steps: int,
    minutes: float,
    judged: Judged | None = None,
    name: str = "",
) -> Entry:
    """Write the last moment as a checkpoint, all of them as its history; without `judged` it is judged on all tests."""
    settings = recipe.settings
    prepared = run_settings.prepare(settings)
    if not moments[-1].weights:
        raise InvalidInput("job_empty")
    model = checkpoints.random_model(run_settings.config(settings, prepared), settings.seed)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(moments[-1].weights[key]))
    checkpoints.save(folder, model, prepared.tokenizer)
    history.save(folder, moments, curve)
    checkpoint = Checkpoint(name or folder.name, model, prepared.tokenizer)
    training = _training_facts(steps, settings, minutes)
    judged = judged or judge(checkpoint, cards.task_of_run(settings.task), prepared.corpus)
    _describe(recipe, checkpoint, Entry(folder), prepared.corpus, judged, training)
    return Entry(folder)


def _point(report: RunReport) -> Point:
    measured = report.evaluation
    return Point(
        report.step,
        report.loss,
        measured.validation_loss if measured else None,
        measured.exact_held_out if measured else None,
    )


def _examples(settings: RunSettings, corpus: Corpus) -> tuple[str, ...]:
    """Sentences to begin with: the one that was watched, and the first that were held out."""
    held_out = [pair.source for pairs in corpus.tests().values() for pair in pairs[:5]]
    return tuple(dict.fromkeys(sentence for sentence in (settings.sentence, *held_out) if sentence))[:5]


# pairs of sentences


def _build(recipe: Recipe, out: Path, progress: Progress) -> Entry:
    torch.manual_seed(recipe.training.seed)
    corpus = recipe.corpus(recipe.training.seed)
    tokenizer = _tokenizer(recipe, corpus)
    config = _config(recipe, tokenizer.size)

    def examples(epoch: int) -> list[Example]:
        return tasks.examples(config, tokenizer, corpus.train(epoch), f"{recipe.training.seed}/{epoch}")

    validation = tasks.examples(config, tokenizer, corpus.validation(), "validation")
    trainer = Trainer(Transformer(config), recipe.training, examples, validation)
    unfinished = _Unfinished(out, recipe)
    if state := unfinished.load():
        trainer.resume(state)
    moments, curve = unfinished.history(trainer.step if state else -1)
    _train(recipe, corpus, tokenizer, trainer, unfinished, moments, curve, progress)
    minutes = unfinished.minutes()

    checkpoints.save(out, trainer.average, tokenizer)
    history.save(out, moments, curve)
    checkpoint = checkpoints.load(Entry(out))
    training = _training_facts(trainer.step, recipe.training, minutes)
    judged = judge(checkpoint, tasks.TASKS[config.architecture], corpus)
    _describe(recipe, checkpoint, Entry(out), corpus, judged, training)
    return Entry(out)


def _train(
    recipe: Recipe,
    corpus: Corpus,
    tokenizer: Tokenizer,
    trainer: Trainer,
    unfinished: "_Unfinished",
    moments: list[Snapshot],
    curve: list[Point],
    progress: Progress,
) -> None:
    """Train to the end; a moment is looked at where a history has one, and everything saved now and then."""
    steps, every = recipe.training.steps, recipe.training.report_every
    looks = snapshot_steps(steps)
    if not moments:
        moments.append(_moment(recipe, corpus, tokenizer, trainer))
    saved_at = trainer.step
    losses: list[float] = []
    for update in trainer.updates():
        losses.append(update.loss)
        step = trainer.step
        if step in looks:
            moments.append(_moment(recipe, corpus, tokenizer, trainer))
        if step % every and step != steps:
            continue
        loss = sum(losses) / len(losses)
        seconds = 60 * unfinished.minutes()
        validation_loss = trainer.evaluate()
        curve.append(Point(step, loss, validation_loss, None))
        progress(Report(step, steps, loss, validation_loss, update.learning_rate, update.gradient_norm, seconds))
        losses = []
        if step - saved_at >= min(SAVE_EVERY, steps / 4) and step < steps:
            saved_at = step
            unfinished.save(trainer.state(), moments, curve)


def _moment(recipe: Recipe, corpus: Corpus, tokenizer: Tokenizer, trainer: Trainer) -> Snapshot:
    """What the averaged weights do with the first example and a few validation sentences; not the weights."""
    model = trainer.average
    checkpoint = Checkpoint(recipe.name, model, tokenizer)
    shown = translate(checkpoint, recipe.examples[0])
    samples = tuple(written(checkpoint, corpus.validation()[-WATCHED:]))
    side = "source" if model.config.source_vocabulary else "target"
    return Snapshot(
        trainer.step, look_of(shown.sentence, shown.text, shown.trace), samples, energy.of_model(model, side), {}
    )


def _tokenizer(recipe: Recipe, corpus: Corpus) -> Tokenizer:
    texts = [text for pair in corpus.texts() for text in pair]
    seen = words_of(corpus.source_words())
    return Tokenizer.words(texts, seen) if recipe.tokens == "words" else Tokenizer.train(texts, seen, recipe.vocabulary)


def _config(recipe: Recipe, vocabulary: int) -> TransformerConfig:
    both = {"source_vocabulary": vocabulary, "target_vocabulary": vocabulary}
    return presets.with_vocabulary(TransformerConfig(**(both | recipe.architecture)), vocabulary)  # type: ignore[arg-type]


# what both write


def _describe(
    recipe: Recipe | RunRecipe,
    checkpoint: Checkpoint,
    entry: Entry,
    corpus: Corpus,
    judged: Judged,
    training: dict[str, Any],
) -> None:
    """The recorded example and the card."""
    example = translate(checkpoint, recipe.examples[0])
    example.trace.save(entry.folder / "example.npz")
    cards.write(entry.folder, cards.card(recipe, corpus, checkpoint, example.text, judged, training))


def _training_facts(steps: int, settings: RunSettings | TrainingSettings, minutes: float) -> dict[str, Any]:
    """What the card says of the training."""
    told = {"steps": steps, "seed": settings.seed, "minutes": round(minutes, 1), "threads": 1}
    return told | {"label_smoothing": settings.label_smoothing}


class _Unfinished:
    """The state of a run that is not over, in its folder, with the processor time that it has taken so far."""

    FILE = "unfinished.pt"

    def __init__(self, folder: Path, recipe: Recipe | RunRecipe):
        self.folder = folder
        self.recipe = repr(recipe)
        self.before = 0.0  # minutes
        self.began = time.process_time()  # another program that takes turns with this one does not count

    def minutes(self) -> float:
        return self.before + (time.process_time() - self.began) / 60

    def load(self) -> dict[str, Any]:
        """What was last saved; empty at the start. Raises `InvalidInput` where it is that of another recipe."""
        path = self.folder / self.FILE
        if not path.exists():
            return {}
        saved = torch.load(path, weights_only=True)
        if saved.pop("recipe", None) != self.recipe:
            raise InvalidInput("recipe_changed", folder=self.folder)
        self.before = saved.pop("minutes")
        return saved

    def history(self, step: int) -> tuple[list[Snapshot], list[Point]]:
        """Moments and curve as saved up to that step."""
        entry = Entry(self.folder)
        moments = [moment for moment in history.load(entry) if moment.step <= step]
        return moments, [point for point in history.curve(entry) if point.step <= step]

    def save(self, state: dict[str, object], moments: Sequence[Snapshot], curve: Sequence[Point]) -> None:
        """Replace the file at once, so that a run interrupted here can still be resumed."""
        history.save(self.folder, moments, curve, weights=inf)
        partial = self.folder / "unfinished.partial"
        torch.save(state | {"minutes": self.minutes(), "recipe": self.recipe}, partial)
        partial.replace(self.folder / self.FILE)
