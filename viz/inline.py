"""Rows of an altair chart that travel within it."""

import json
from collections.abc import Mapping, Sequence

import altair as alt


def inline(rows: Sequence[Mapping[str, object]]) -> alt.Data:
    """Rows as text, which altair neither copies nor checks value by value: several times faster."""
    return alt.Data(values=json.dumps(rows, ensure_ascii=False), format=alt.DataFormat(type="json"))
