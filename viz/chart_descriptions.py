"""What a screen reader is told of the marks of a chart: what their tooltips show.

Left alone, Vega lists the fields of a mark under their English names, colours too.
"""

import json
from collections.abc import Mapping
from typing import Any

Spec = dict[str, Any]
Rows = tuple[str, str]  # the table of a layer, and what its tooltips show of it
_WHOLE = ("line", "area", "trail")  # one mark for many rows, so that no row describes it


def describe(spec: Spec, around: Mapping[str, Any] | None = None, told: set[Rows] | None = None) -> None:
    """Describe each mark by the titles and values of its tooltip, in place; nothing is said of marks without one.

    around   encodings of the chart that holds this one
    told     rows that a mark describes already: a bar and its interval are described once
    """
    encoding = {**(around or {}), **spec.get("encoding", {})}
    told = set() if told is None else told
    for group in ("layer", "hconcat", "vconcat"):
        for part in spec.get(group, ()):
            describe(part, encoding, told)
    if "mark" in spec:
        mark = spec["mark"] if isinstance(spec["mark"], dict) else {"type": spec["mark"]}
        tooltip = encoding.get("tooltip")
        rows = str(spec.get("data", {}).get("values", "")), json.dumps([tooltip, spec.get("transform")])
        spec["mark"] = _described(mark, tooltip, told, rows)


def _described(mark: Spec, tooltip: object, told: set[Rows], rows: Rows) -> Spec:
    if point := mark.get("point"):  # a mark of each row upon a line
        mark = {**mark, "point": _described(point if isinstance(point, dict) else {}, tooltip, told, rows)}
    if mark.get("type") in _WHOLE or not isinstance(tooltip, list) or rows in told or mark.get("aria") is False:
        return {**mark, "aria": False}
    told.add(rows)
    said = " + '; ' + ".join(map(_line, tooltip))
    # a blank word for its kind is not read; Vega's own is English
    return {**mark, "description": {"expr": said}, "ariaRoleDescription": " "}


def _line(tip: Mapping[str, Any]) -> str:
    """A Vega expression for a line of a tooltip: `title: value`."""
    field, title = f"datum[{json.dumps(tip['field'])}]", str(tip.get("title", "")).strip()
    form = json.dumps(tip.get("format", ""))
    ways = {"quantitative": f"format({field}, {form})", "temporal": f"timeFormat({field}, {form})"}
    begin = json.dumps(f"{title}: " if title else "", ensure_ascii=False)
    return f"{begin} + (isValid({field}) ? {ways.get(tip['type'], field)} : '')"
