"""Effect of each part of a checkpoint, removed or carried over: over held-out sentences, recorded beside it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.build.attributions import SEED
from model.build.recorded_json import rounded
from model.checkpoint.checkpoints import Checkpoint
from model.circuits import ablation, average_patching
from model.decode.translate import can_read, translate
from model.errors import InvalidInput
from model.intervals import Estimate

FILE = "ablations.json"
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
    results["exchanged"], patching = average_patching.patched(checkpoint, runs, told(rounds - 1))
    results[PATCHING] = rounded(patching)
    return results


def _named(effects: Mapping[ablation.Removed, Estimate]) -> dict[str, list[float]]:
    return rounded({ablation.name_of(parts): effect for parts, effect in effects.items()})
