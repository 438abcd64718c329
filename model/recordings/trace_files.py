"""A trace as a file for other programs: .npz, .json, or .parquet with a line per number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from model.errors import InvalidInput
from model.trace import TOKEN_LISTS, Trace

if TYPE_CHECKING:
    import pandas as pd


def chosen(trace: Trace, patterns: Sequence[str]) -> dict[str, np.ndarray]:
    """The values whose names fit one of the patterns, such as `decoder.*.cross_attention.weights`; all without one.

    Raises `InvalidInput` for a pattern that no name fits.
    """
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in trace.values):
            raise InvalidInput("trace_only", pattern=pattern, names=", ".join(list(trace.values)[:4]))
    fits = (name for name in trace.values if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns))
    return {name: trace.values[name] for name in fits}


def write(trace: Trace, file: Path, values: dict[str, np.ndarray]) -> None:
    """Write the values and the tokens; the end of the file's name chooses the form, .npz if it is another one."""
    if file.suffix == ".json":
        file.write_text(json.dumps(as_json(trace, values), ensure_ascii=False, allow_nan=False), encoding="utf-8")
    elif file.suffix == ".parquet":
        as_table(trace, values).to_parquet(file, index=False)
    else:
        trace.save(file, values)


def as_json(trace: Trace, values: dict[str, np.ndarray]) -> dict[str, Any]:
    """Token lists, and nested lists of numbers by name. JSON has no infinity: the −∞ of a hidden score is null."""
    tokens = {name: list(getattr(trace, name)) for name in TOKEN_LISTS}
    return tokens | {"values": {name: _listed(array) for name, array in values.items()}}


def _listed(array: np.ndarray) -> list[Any]:
    plain = array.astype(object)
    plain[~np.isfinite(array)] = None
    return plain.tolist()


def as_table(trace: Trace, values: dict[str, np.ndarray]) -> pd.DataFrame:
    """A line per number: `name`, `head` (empty where there are none), `row`, `column`, both tokens, `value`.

    The token of a column is there where columns are keys. Rows of cross-attention and of the logits are the tokens
    being written, other rows the tokens that were read.
    """
    import pandas as pd

    return pd.concat([_lines(trace, name, array) for name, array in values.items()], ignore_index=True)


def _lines(trace: Trace, name: str, array: np.ndarray) -> pd.DataFrame:
    import pandas as pd

    heads = array.shape[0] if array.ndim == 3 else 1
    rows, columns = array.shape[-2:]
    head, row, column = (grid.ravel() for grid in np.indices((heads, rows, columns)))
    row_tokens, column_tokens = _tokens(trace, name)
    return pd.DataFrame(
        {
            "name": name,
            "head": pd.Series(head if array.ndim == 3 else pd.NA, range(array.size), "Int16"),
            "row": row.astype(np.int32),
            "column": column.astype(np.int32),
            "row_token": np.array(row_tokens, object)[row],
            "column_token": np.array(column_tokens, object)[column] if column_tokens else None,
            "value": array.ravel(),
        }
    )


# what queries and keys of an attention share: (…, Q, K)
_OF_PAIRS = ("scores", "masked_scores", "position_bias", "weights")
_OF_KEYS = ("k", "v", "unrotated_k")


def _tokens(trace: Trace, name: str) -> tuple[Sequence[str], Sequence[str]]:
    """The tokens of the rows, and those of the columns where columns are keys, else none."""
    side, part = name.split(".")[0], name.split(".")[-1]
    cross = ".cross_attention." in name
    keys = trace.source_tokens if side == "encoder" or cross else trace.target_tokens
    if part in _OF_PAIRS:
        queries = trace.output_tokens if cross else keys
        return queries, keys
    if cross:
        return (keys if part in _OF_KEYS else trace.output_tokens), ()
    if name == "logits":
        return trace.output_tokens, ()
    return (trace.source_tokens if side == "encoder" else trace.target_tokens or trace.source_tokens), ()
