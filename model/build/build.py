"""Train a shipped checkpoint from its recipe. An interrupted training can be resumed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from corpora.corpus import Corpus
from corpora.pairs import Example
from model import presets
from model.analysis import energy
from model.build import cards
from model.build.evaluation import generated, judge
from model.build.keep_run import curve_point, write_run
from model.build.recipes import Recipe, RunRecipe
from model.build.resume import UnfinishedBuild
from model.build.target_loss import over_seeds
from model.checkpoint import checkpoints, history
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.history import Point
from model.checkpoint.snapshots import Snapshot, probe_of
from model.config import TransformerConfig
from model.decode.translate import translate
from model.device import placed
from model.tokenization.tokenizer import Tokenizer, words_of
from model.train import objectives
from model.train.limits import UNLIMITED
from model.train.report import RunReport
from model.train.schedule import snapshot_steps
from model.train.trainer import Report, Trainer
from model.train.training_run import Run
from model.transformer import Transformer

SAVE_EVERY = 500  # steps, or a fourth of a shorter run
# sentences that a Chinese word must stand in to count as seen: held-out sentences with a word of one or two training
# sentences score as low as those with a new word (BLEU 10 to 14; without such words, 42)
LEARNED = 3
WATCHED = 8  # validation sentences whose output each snapshot of a history holds
Progress = Callable[[Report | RunReport], object]


def build(recipe: Recipe | RunRecipe, out: Path, progress: Progress) -> Entry:
    """Train into the folder `out`. An unfinished training in `out` is resumed from where it was last saved."""
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    entry = _build_run(recipe, out, progress) if isinstance(recipe, RunRecipe) else _build(recipe, out, progress)
    (out / UnfinishedBuild.FILE).unlink(missing_ok=True)
    return entry


def describe(recipe: Recipe | RunRecipe, entry: Entry) -> None:
    """Evaluate a checkpoint of the recipe again, and replace its card and its recorded example."""
    corpus, checkpoint = recipe.corpus(recipe.seed), checkpoints.load(entry)
    measured = {key: entry.card[key] for key in ("attribution", "ordinary") if key in entry.card}  # of the same weights
    judgement = judge(checkpoint, recipe.task, corpus)
    cards.describe(recipe, checkpoint, entry, corpus, judgement, entry.card["training"])
    cards.write(entry.folder, Entry(entry.folder).card | measured)


# from a RunRecipe


def _build_run(recipe: RunRecipe, out: Path, progress: Progress) -> Entry:
    unfinished = UnfinishedBuild(out, recipe)
    state = unfinished.load()
    snapshots, curve = unfinished.history(state["progress"][0] if state else -1)
    settings = recipe.settings
    run = Run(replace(settings, sentence=settings.sentence or recipe.examples[0]), state or None, UNLIMITED)
    saved_at = run.trainer.step
    for report in run.reports():
        progress(report)
        curve.append(curve_point(report))
        if report.moment:
            snapshots.append(report.moment)
        if report.step - saved_at >= min(SAVE_EVERY, settings.steps / 4) and report.step < settings.steps:
            saved_at = report.step
            unfinished.save(run.state(), snapshots, curve)
    if run.ended:
        raise run.ended
    minutes = unfinished.minutes()
    losses = over_seeds(recipe, run.trainer.average) if recipe.seeds else {}
    return write_run(recipe, out, snapshots, curve, settings.steps, minutes, losses=losses)


# from a Recipe


def _build(recipe: Recipe, out: Path, progress: Progress) -> Entry:
    torch.manual_seed(recipe.training.seed)
    corpus = recipe.corpus(recipe.training.seed)
    tokenizer = _tokenizer(recipe, corpus)
    config = _config(recipe, tokenizer.size)

    def examples(epoch: int) -> list[Example]:
        return objectives.examples(config, tokenizer, corpus.train(epoch), f"{recipe.training.seed}/{epoch}")

    validation = objectives.examples(config, tokenizer, corpus.validation(), "validation")
    trainer = Trainer(placed(Transformer(config)), recipe.training, examples, validation)
    unfinished = UnfinishedBuild(out, recipe)
    if state := unfinished.load():
        trainer.resume(state)
    snapshots, curve = unfinished.history(trainer.step if state else -1)
    _train(recipe, corpus, tokenizer, trainer, unfinished, snapshots, curve, progress)
    minutes = unfinished.minutes()

    checkpoints.save(out, trainer.average, tokenizer)
    history.save(out, snapshots, curve)
    checkpoint = checkpoints.load(Entry(out))
    training = cards.training_facts(trainer.step, recipe.training, minutes)
    judgement = judge(checkpoint, recipe.task, corpus)
    cards.describe(recipe, checkpoint, Entry(out), corpus, judgement, training)
    return Entry(out)


def _train(
    recipe: Recipe,
    corpus: Corpus,
    tokenizer: Tokenizer,
    trainer: Trainer,
    unfinished: UnfinishedBuild,
    snapshots: list[Snapshot],
    curve: list[Point],
    progress: Progress,
) -> None:
    """Train to the end. Append to `snapshots` and `curve` on the way, and save the state at intervals."""
    steps, every = recipe.training.steps, recipe.training.report_every
    steps_to_save = snapshot_steps(steps)
    if not snapshots:
        snapshots.append(_snapshot(recipe, corpus, tokenizer, trainer))
    saved_at = trainer.step
    losses: list[float] = []
    for update in trainer.updates():
        losses.append(update.loss)
        step = trainer.step
        if step in steps_to_save:
            snapshots.append(_snapshot(recipe, corpus, tokenizer, trainer))
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
            unfinished.save(trainer.state(), snapshots, curve)


def _snapshot(recipe: Recipe, corpus: Corpus, tokenizer: Tokenizer, trainer: Trainer) -> Snapshot:
    """Snapshot of the averaged weights: outputs for the first example and some validation sentences, no weights."""
    model = trainer.average
    checkpoint = Checkpoint(recipe.name, model, tokenizer)
    example = translate(checkpoint, recipe.examples[0])
    samples = tuple(generated(checkpoint, corpus.validation()[-WATCHED:]))
    side = "source" if model.config.source_vocabulary else "target"
    return Snapshot(
        trainer.step, probe_of(example.sentence, example.text, example.trace), samples, energy.of_model(model, side), {}
    )


def _tokenizer(recipe: Recipe, corpus: Corpus) -> Tokenizer:
    texts = [text for pair in corpus.texts() for text in pair]
    words = words_of(corpus.source_words(), LEARNED)
    return (
        Tokenizer.words(texts, words) if recipe.tokens == "words" else Tokenizer.train(texts, words, recipe.vocabulary)
    )


def _config(recipe: Recipe, vocabulary: int) -> TransformerConfig:
    both = {"source_vocabulary": vocabulary, "target_vocabulary": vocabulary}
    return presets.with_vocabulary(TransformerConfig(**(both | recipe.architecture)), vocabulary)  # type: ignore[arg-type]
