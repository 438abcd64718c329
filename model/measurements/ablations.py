"""Effect of each part of a checkpoint, removed or carried over: over held-out sentences, saved beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.checkpoint.checkpoints import Checkpoint
from model.circuits import ablation, patching_effects
from model.decode.translate import can_read, translate
from model.errors import InvalidInput
from model.intervals import Estimate
from model.measurements.asked import LINES, MODEL, SEED, Asked, option, percent
from model.measurements.measurement import Effects, Measurement, estimates, rounded

SENTENCES = 50
PAIRS, PATCHING = "pairs", "patching"


def measure(
    checkpoint: Checkpoint, sentences: Sequence[str], report: Callable[[int], None] = lambda count: None
) -> dict[str, Any]:
    """The mean effect and its 95 % interval: for each way and part, and in zeros for pairs of heads (`PAIRS`).

    `PATCHING` has the share of the answer that each part carries over, of the `exchanged` sentences that could be used.

    `report` is told how much of all is done, in %.
    """
    runs = [translate(checkpoint, sentence) for sentence in sentences if can_read(checkpoint, sentence)]
    if not runs:
        raise InvalidInput("sentence_empty")
    config, results = checkpoint.model.config, dict[str, Any](seed=SEED, sentences=len(runs))
    rounds = len(ablation.WAYS) + 2

    def told(before: int) -> Callable[[int], None]:
        return lambda count: report(round(100 * (before * len(runs) + count) / (len(runs) * rounds)))

    for number, way in enumerate(ablation.WAYS):
        effects = ablation.ablated(checkpoint, runs, way, ablation.singles(config), told(number))
        results[way] = _named(effects)
        if way == "zero":
            pairs = ablation.pairs(effects)
    results[PAIRS] = _named(ablation.ablated(checkpoint, runs, "zero", pairs, told(rounds - 2)))
    results["exchanged"], patching = patching_effects.patched(checkpoint, runs, told(rounds - 1))
    results[PATCHING] = rounded(patching)
    return results


def _named(effects: Mapping[ablation.Ablated, Estimate]) -> dict[str, list[float]]:
    return rounded({ablation.name_of(parts): effect for parts, effect in effects.items()})


@dataclass(frozen=True)
class Saved:
    """Effects saved of a model: those of single parts by way, and those of pairs of heads.

    `sentences` says over how many, `seed` by which these were drawn.
    `patching` has the share of the answer that each place carries over, in `exchanged` sentences.
    """

    sentences: int
    seed: int
    ways: Mapping[str, Effects]
    pairs: Effects
    exchanged: int
    patching: Effects


def _read(content: dict[str, Any]) -> Saved:
    sentences, seed, exchanged = (int(content[key]) for key in ("sentences", "seed", "exchanged"))
    ways: dict[str, Effects] = {way: estimates(content[way]) for way in ablation.WAYS}
    return Saved(sentences, seed, ways, estimates(content[PAIRS]), exchanged, estimates(content[PATCHING]))


def _measure(asked: Asked) -> dict[str, Any]:
    if asked.is_untrained and asked.options.save:
        raise InvalidInput("save_untrained")
    sentences = asked.sentences(SENTENCES)
    with percent() as report:
        return measure(asked.checkpoint, sentences, report)


MEASUREMENT = Measurement(
    name="ablation",
    about="what each head and feed-forward does, removed or carried over, as JSON",
    measure=_measure,
    options=(
        *MODEL,
        LINES,
        option("--examples", action="store_true", help="the card's sentences instead of held-out ones"),
    ),
    file="ablations.json",
    read=_read,
)
