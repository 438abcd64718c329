"""Legends above and below charts: as many columns as there is room for where the chart stands."""

from typing import Any

from .text_width import text_width

Spec = dict[str, Any]
SYMBOL = 27  # px of an entry beside its text
LETTER = 0.5  # of the height of a letter: its width, on average
SIZE = 13  # px high, as `vega.CONFIG` has it
LABEL = 160  # px to which Vega shortens a text that has no limit of its own
AXIS = 60  # px left of a chart, whose legend begins where its marks do
PHONE = 240  # px that every legend has
ROOM = f"(containerSize()[0] - {AXIS} || width)"  # Vega knows the container on a page alone


def fit_legends(spec: Spec) -> None:
    """Let the columns of legends that are too wide for a phone depend on the width of the chart, in place."""
    for group in ("layer", "hconcat", "vconcat"):
        for part in spec.get(group, ()):
            fit_legends(part)
    for channel in spec.get("encoding", {}).values():
        legend = channel.get("legend") if isinstance(channel, dict) else None
        names = (channel.get("scale") or {}).get("domain") if legend else None
        if isinstance(names, list) and legend["orient"] in ("top", "bottom") and legend.get("direction") != "vertical":
            most = min(legend.get("columns", len(names)), len(names))
            widths = [SYMBOL + min(legend.get("labelLimit", LABEL), _width(name)) for name in names]
            needed = {count: sum(max(widths[at::count]) for at in range(count)) for count in range(most, 1, -1)}
            if needed.get(most, 0) > PHONE:
                ways = [f"{ROOM} >= {width:.0f} ? {count} : " for count, width in needed.items()]
                legend["columns"] = {"expr": "".join(ways) + "1"}


def _width(name: object) -> float:
    return text_width(str(name), SIZE, LETTER)
