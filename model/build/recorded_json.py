"""A measurement as a JSON file beside its checkpoint, with a line for each number or interval."""

import json
from collections.abc import Mapping
from typing import Any

from model.checkpoint.catalogue import Entry
from model.intervals import Estimate


def rounded(estimates: Mapping[str, Estimate]) -> dict[str, list[float]]:
    """A row for each: mean and interval, with four decimals."""
    return {name: estimate.rounded() for name, estimate in estimates.items()}


def write(entry: Entry, file: str, results: Mapping[str, Any]) -> None:
    """Write the results; tables have a line for each row."""
    tables = ",\n".join(f"{json.dumps(key)}: {_table(value)}" for key, value in results.items())
    (entry.folder / file).write_text(f"{{\n{tables}\n}}\n", encoding="utf-8")


def _table(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items())
    return f"{{\n{rows}\n}}"
