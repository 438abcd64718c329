"""A measurement as a JSON file beside its checkpoint, with a line for each number or interval."""

import json
from collections.abc import Mapping
from typing import Any

from model.checkpoint.catalogue import Entry
from model.circuits.ablation import Effect


def spelled(effect: Effect) -> list[float]:
    """Mean and interval, with four decimals."""
    return [round(value, 4) for value in (effect.mean, effect.low, effect.high)]


def write(entry: Entry, file: str, results: Mapping[str, Any]) -> None:
    """Write the results; tables have a line for each row."""
    tables = ",\n".join(f"{json.dumps(key)}: {_table(value)}" for key, value in results.items())
    (entry.folder / file).write_text(f"{{\n{tables}\n}}\n", encoding="utf-8")


def _table(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items())
    return f"{{\n{rows}\n}}"
