"""Legends above and below charts: as many columns as there is room for where the chart stands."""

from math import ceil
from typing import Any

from .text_width import text_width

Spec = dict[str, Any]
SYMBOL = 27  # px of an entry beside its text
LETTER = 0.5  # of the height of a letter: its width, on average
SIZE = 13  # px high, as `vega.CONFIG` has it
LABEL = 160  # px to which Vega shortens a text that has no limit of its own
AXIS = 88  # px left of a chart, whose legend begins where its marks do
PHONE = 240  # px that every legend has
LINES = 4  # at most: more would leave the chart no height; texts are shortened instead
ROOM = f"(containerSize()[0] - {AXIS} || width)"  # Vega knows the container on a page alone


def fit_legends(spec: Spec) -> None:
    """Let columns of legends that are too wide for a phone, and their texts, depend on the width of the chart."""
    for group in ("layer", "hconcat", "vconcat"):
        for part in spec.get(group, ()):
            fit_legends(part)
    for channel in spec.get("encoding", {}).values():
        legend = channel.get("legend") if isinstance(channel, dict) else None
        names = (channel.get("scale") or {}).get("domain") if legend else None
        if legend and isinstance(names, list) and legend["orient"] in ("top", "bottom"):
            legend |= _fitting(legend, [text_width(str(name), SIZE, LETTER) for name in names])


def _fitting(legend: Spec, widths: list[float]) -> Spec:
    """Columns and limit of the texts, of these widths, as Vega expressions; nothing where a phone has room for all."""
    limit = legend.get("labelLimit", LABEL)
    most = 1 if legend.get("direction") == "vertical" else min(legend.get("columns", len(widths)), len(widths))
    least = min(most, ceil(len(widths) / LINES))
    entries = [SYMBOL + min(limit, width) for width in widths]
    needed = {count: ceil(sum(max(entries[at::count]) for at in range(count))) for count in range(most, least - 1, -1)}
    if needed[most] <= PHONE:
        return {}
    shorter = f"{ROOM} >= {needed.pop(least)} ? {limit} : {ROOM} / {least} - {SYMBOL}"
    columns = "".join(f"{ROOM} >= {width} ? {count} : " for count, width in needed.items())
    return {"labelLimit": {"expr": shorter}} | ({"columns": {"expr": f"{columns}{least}"}} if columns else {})
