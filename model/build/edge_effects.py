"""Edges of a checkpoint, patched and estimated over held-out sentences, recorded beside it."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.circuits.edges import agreement, wiring
from model.decode.translate import encode, translate
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
    runs = [translate(checkpoint, sentence) for sentence in sentences if _can_read(checkpoint, sentence)]
    result = agreement.measured(checkpoint, runs, seed, report)
    if not result.exchanged:
        raise InvalidInput("edges_none")
    tables = {"trained": result.trained, "random": result.random}
    return {
        "seed": seed,
        "sentences": len(runs),
        "exchanged": result.exchanged,
        "agreement": {
            name: {method: {"rank": _spelled(each.rank), "strongest": _spelled(each.strongest)}
                   for method, each in table.items()}
            for name, table in tables.items()
        },
        "edges": {name: [round(value, 5) for value in values] for name, values in result.effects.items()},
    }  # fmt: skip


def record(entry: Entry, results: dict[str, Any]) -> None:
    """Write the result beside the checkpoint, a line for each edge."""
    lines = ",\n".join(f'  "{edge}": {json.dumps(values)}' for edge, values in results["edges"].items())
    rest = [f'"{name}": {json.dumps(value)}' for name, value in results.items() if name != "edges"]
    text = "{\n" + ",\n".join([*rest, f'"edges": {{\n{lines}\n}}']) + "\n}\n"
    (entry.folder / FILE).write_text(text, encoding="utf-8")


def _spelled(effect) -> list[float]:
    return [round(value, 4) for value in (effect.mean, effect.low, effect.high)]


def _can_read(checkpoint: Checkpoint, sentence: str) -> bool:
    try:
        encode(checkpoint, sentence)
    except InvalidInput:
        return False
    return True
