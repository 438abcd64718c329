"""Whether wrong pairs are found among many right ones: 20 of a kind among 20,000, after a training with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from corpora.tasks.few_sentences import FewSentences
from model.errors import InvalidInput
from model.influence import methods, planting, retraining, small_task
from model.influence.retraining import Change
from model.influence.small_task import SmallTask
from model.intervals import wilson
from model.measurements import asked
from model.measurements.measurement import Measurement, rounded

SEED = 0
PAIRS, COPIES = 20_000, 20
LEAST = 400  # pairs, of which the first 1 % are four
DRAWN = 1.2  # sentences that are drawn for each training pair: one in ten is held out
METHODS = ("words", "vectors", "gradients", "tracin")  # TRAK's Gram matrix of 20,000 pairs would take 3.2 GB


def measure(
    call: asked.Asked, report: Callable[[float], None] = lambda share: None, names: tuple[str, ...] = METHODS
) -> dict[str, Any]:
    """By method the share of wrong words of which all planted pairs are among the first 1 %, with its interval.

    The model of the checkpoint is trained on more sentences of its grammar, each seen as often as before.
    """
    pairs, copies = call.options.pairs, call.options.copies
    for field, value, least in (("--pairs", pairs, LEAST), ("--copies", copies, 1)):
        if value < least:
            raise InvalidInput("config_number", field=field, value=value, minimum=least)
    small = small_task.of(call.entry)
    if small.settings.task != FewSentences.name:
        raise InvalidInput("influence_model", name=call.entry.name)
    task, kinds = planting.planted(_larger(small, pairs), SEED, copies=copies)
    if not kinds:  # more copies than any word has pairs
        raise InvalidInput("planted_copies", copies=copies, pairs=pairs)
    index = methods.Index(task, retraining.model_of(task.config, retraining.trained(task, Change(), SEED)))
    found = {}
    for number, method in enumerate(names):
        report(100 * (number + 1) / (len(names) + 1))
        scores = index.scores(method, [each.asked for each in kinds])
        found[method] = wilson(sum(map(planting.is_found, kinds, scores)), len(kinds))
    report(100.0)
    return {"seed": SEED, "pairs": len(task.pairs), "kinds": len(kinds), "copies": copies, "first": planting.SHARE,
            "found": rounded(found)}  # fmt: skip


def _larger(task: SmallTask, count: int) -> SmallTask:
    """The task of our small grammar with so many pairs of it, and as many more steps."""
    pairs = tuple(FewSentences(round(DRAWN * count)).train(0)[:count])
    sides = [task.tokenizer.encode_all([pair[side] for pair in pairs]) for side in (0, 1)]
    settings = replace(task.settings, steps=round(task.settings.steps * count / len(task.pairs)))
    return replace(task, settings=settings, pairs=pairs, examples=tuple(zip(*sides, strict=True)), groups={})


def _measure(call: asked.Asked) -> dict[str, Any]:
    with asked.percent() as report:
        return measure(call, report)


MEASUREMENT = Measurement[None](
    name="planted-pairs",
    about="whether methods find wrong pairs that are planted among many right ones before a training",
    measure=_measure,
    options=(
        asked.CHECKPOINT,
        asked.option("--pairs", type=int, default=PAIRS, help=f"training pairs (default: {PAIRS})"),
        asked.option("--copies", type=int, default=COPIES, help=f"wrong pairs of a kind (default: {COPIES})"),
    ),
    save=None,
)
