"""Write a training run as a checkpoint folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpora.corpus import Corpus
from model.build import cards
from model.build.evaluation import Judged, judge
from model.build.recipes import RunRecipe
from model.checkpoint import checkpoints, history
from model.checkpoint.catalogue import Entry
from model.checkpoint.history import Point
from model.checkpoint.snapshots import Snapshot
from model.errors import InvalidInput
from model.train import data
from model.train.report import RunReport
from model.train.run_settings import RunSettings
from model.train.training_run import checkpoint as checkpoint_of


def keep_run(
    folder: Path, settings: RunSettings, reports: Sequence[RunReport], snapshots: Sequence[Snapshot], name: str = ""
) -> Entry:
    """Write a run of the train page as a checkpoint folder. The last snapshot must hold the weights.

    The scores of the card are those of the last evaluation in `reports`. `name` is the name on the card, by default
    that of the folder. Raises `InvalidInput` if the run has saved nothing.
    """
    corpus = data.prepare(settings).corpus
    last = next((report for report in reversed(reports) if report.evaluation), None)
    if last is None or last.evaluation is None or not snapshots:
        raise InvalidInput("job_empty")
    judgement = cards.judged_by_run(settings, corpus.name, last.evaluation)
    recipe = RunRecipe(name="", settings=settings, examples=_examples(settings, corpus))
    curve = [curve_point(report) for report in reports]
    return write_run(recipe, folder, snapshots, curve, last.step, last.seconds / 60, judgement, name)


def write_run(
    recipe: RunRecipe,
    folder: Path,
    snapshots: Sequence[Snapshot],
    curve: Sequence[Point],
    steps: int,
    minutes: float,
    judgement: Judged | None = None,
    name: str = "",
    losses: dict[str, Any] | None = None,
) -> Entry:
    """Write the last snapshot as a checkpoint, and all snapshots and the curve as its history.

    Without `judgement` the checkpoint is evaluated on all tests. `minutes` is the time of the training; the card has
    the `losses` too.
    """
    settings = recipe.settings
    checkpoint = checkpoint_of(settings, snapshots[-1], name or folder.name)
    corpus = data.prepare(settings).corpus
    checkpoints.save(folder, checkpoint.model, checkpoint.tokenizer)
    history.save(folder, snapshots, curve, recipe.history_weights)
    training = cards.training_facts(steps, settings, minutes) | (losses or {})
    judgement = judgement or judge(checkpoint, recipe.task, corpus)
    cards.describe(recipe, checkpoint, Entry(folder), corpus, judgement, training)
    return Entry(folder)


def curve_point(report: RunReport) -> Point:
    """The point of the training curve that a report gives; no validation loss where it did not evaluate."""
    evaluation = report.evaluation
    return Point(
        report.step,
        report.loss,
        evaluation.validation_loss if evaluation else None,
        evaluation.exact_held_out if evaluation else None,
    )


def _examples(settings: RunSettings, corpus: Corpus) -> tuple[str, ...]:
    """At most five example sentences for the card: the probe sentence, then held-out sources."""
    held_out = [pair.source for pairs in corpus.tests().values() for pair in pairs[:5]]
    return tuple(dict.fromkeys(sentence for sentence in (settings.sentence, *held_out) if sentence))[:5]
