"""Edges of a checkpoint, patched and estimated over held-out sentences, saved beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from model.checkpoint.checkpoints import Checkpoint
from model.circuits.computational_graph import agreement, edges
from model.decode.translate import can_read, translate
from model.errors import InvalidInput
from model.measurements.asked import CHECKPOINT, LINES, option
from model.measurements.measurement import Measurement

SENTENCES = 50


def measure(
    checkpoint: Checkpoint,
    sentences: Sequence[str],
    seed: int = 0,
    report: Callable[[int], None] = lambda count: None,
) -> dict[str, Any]:
    """Effect and estimates of every edge, and how well they agree, with 95 % intervals; `report`: sentences done.

    Raises `InvalidInput` for a model whose stream is no plain sum, and if no corrupted token changes an answer.
    """
    if not edges.can_wire(checkpoint.model.config):
        raise InvalidInput("edges_norm", norm=checkpoint.model.config.norm)
    runs = [translate(checkpoint, sentence) for sentence in sentences if can_read(checkpoint, sentence)]
    result = agreement.measured(checkpoint, runs, seed, report)
    if not result.exchanged:
        raise InvalidInput("edges_none")
    tables = {"trained": result.trained, "random": result.random}
    return {
        "seed": seed,
        "sentences": len(runs),
        "exchanged": result.exchanged,
        "agreement": {
            name: {method: {"rank": each.rank.rounded(), "strongest": each.strongest.rounded()}
                   for method, each in table.items()}
            for name, table in tables.items()
        },
        "edges": {name: [round(value, 5) for value in values] for name, values in result.effects.items()},
    }  # fmt: skip


@dataclass(frozen=True)
class Saved:
    """What was saved, over `exchanged` sentences; `seed` is that of the twin with random weights.

    agreement  by weights, method and measure: mean and interval
    edges      of each edge what is real and what both methods estimate
    """

    exchanged: int
    seed: int
    agreement: Mapping[str, Mapping[str, Mapping[str, list[float]]]]
    edges: Mapping[str, list[float]]


def _read(content: dict[str, Any]) -> Saved:
    for weights in ("trained", "random"):
        for method in ("eap", "eap_ig"):
            for each in ("rank", "strongest"):
                mean, low, high = content["agreement"][weights][method][each]
                float(mean) + float(low) + float(high)
    table = {str(edge): [float(value) for value in values] for edge, values in content["edges"].items()}
    if not table or any(len(values) != 3 for values in table.values()):
        raise ValueError("no edges, or other numbers than three of one")
    return Saved(int(content["exchanged"]), int(content["seed"]), content["agreement"], table)


MEASUREMENT = Measurement(
    name="edges",
    about="what each edge between parts carries, patched and estimated, as JSON",
    measure=lambda asked: asked.over(asked.sentences(SENTENCES), partial(measure, seed=asked.options.seed)),
    options=(CHECKPOINT, LINES, option("--seed", type=int, default=0, help="of the weights of the random twin")),
    file="edges.json",
    read=_read,
)
