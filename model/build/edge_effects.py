"""Edges of a checkpoint, patched and estimated over held-out sentences, recorded beside it."""

from collections.abc import Callable, Sequence
from typing import Any

from model.checkpoint.checkpoints import Checkpoint
from model.circuits.edges import agreement, wiring
from model.decode.translate import can_read, translate
from model.errors import InvalidInput

FILE = "edges.json"
SENTENCES = 50


def measure(
    checkpoint: Checkpoint,
    sentences: Sequence[str],
    seed: int = 0,
    report: Callable[[int], None] = lambda count: None,
) -> dict[str, Any]:
    """Effect and estimates of every edge, and how well they agree, with 95 % intervals; `report`: sentences done.

    Raises `InvalidInput` for a model whose stream is no plain sum, and if no exchanged token changes an answer.
    """
    if not wiring.can_wire(checkpoint.model.config):
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
