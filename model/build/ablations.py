"""The effect of removing each part of a checkpoint, measured over held-out sentences and recorded beside it."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from model.checkpoint.catalogue import Entry
from model.checkpoint.load import Checkpoint
from model.circuits import ablation
from model.decode.translate import encode, translate
from model.errors import InvalidInput

FILE = "ablations.json"
SENTENCES = 50


def measure(
    checkpoint: Checkpoint, sentences: Sequence[str], report: Callable[[int], None] = lambda done: None
) -> dict[str, Any]:
    """The mean effect and its 95 % interval for each way and part. `report` is told how much of all is done, in %."""
    runs = [translate(checkpoint, sentence) for sentence in sentences if _can_read(checkpoint, sentence)]
    measured: dict[str, Any] = {"sentences": len(runs)}
    for number, way in enumerate(ablation.WAYS):
        before = number * len(runs)

        def done(sentences: int, before: int = before) -> None:
            report(round(100 * (before + sentences) / (len(runs) * len(ablation.WAYS))))

        effects = ablation.ablated(checkpoint, runs, way, done)
        sums = {part.name: ablation.summed(values) for part, values in effects.items() if values}
        measured[way] = {name: [round(value, 4) for value in vars(each).values()] for name, each in sums.items()}
    return measured


def record(entry: Entry, measured: dict[str, Any]) -> None:
    """Write the result beside the checkpoint, a line for each part."""
    tables = []
    for way in ablation.WAYS:
        lines = ",\n".join(f'  "{part}": {json.dumps(values)}' for part, values in measured[way].items())
        tables.append(f'"{way}": {{\n{lines}\n}}')
    ways = ",\n".join(tables)
    text = f'{{\n"sentences": {measured["sentences"]},\n{ways}\n}}\n'
    (entry.folder / FILE).write_text(text, encoding="utf-8")


def _can_read(checkpoint: Checkpoint, sentence: str) -> bool:
    try:
        encode(checkpoint, sentence)
    except InvalidInput:
        return False
    return True
