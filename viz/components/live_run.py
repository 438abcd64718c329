"""A training run, as data for the component in the browser."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence

from . import attention
from .frontend import frontend, style


def run_data(
    run: str,
    *,
    state: str,
    live: bool,
    moments: Sequence[int],
    moment: int | None,
    selection: Mapping[str, object] | None,
    beside: str,
    heads: Sequence[tuple[int, int]],
    details: bool,
    language: str,
    words: Mapping[str, str],
    languages: Mapping[str, str] | None = None,
) -> str:
    """The component's `data`: the run that it reads from the server, and the state that Python keeps.

    `live`: samples and attention are drawn as they arrive. Otherwise those of the snapshot `moment` are
    drawn, one of the steps `moments`, by default the last, with the head of `selection`. `beside` is a second run;
    `heads` (layer, head) are those whose look-up of repeated letters is measured, if it is;
    `details` opens the part with the rarer numbers and curves.
    `languages` are the HTML tags of the `source` and the `target` of its task.
    """
    content = {"run": run, "state": state, "live": live, "moments": list(moments), "moment": moment}
    content |= {
        "selection": selection,
        "beside": beside,
        "heads": list(heads),
        "details": details,
        "language": language,
        "languages": dict(languages or {}),
    }
    return json.dumps(content | {"words": dict(words)}, ensure_ascii=False)


def moment_data(content: Mapping[str, object], picture: bytes) -> bytes:
    """A snapshot for the component: the length of the JSON text, the JSON text, and its attention as `picture`."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(text)) + text + picture


CURVES = style("live_run/slider_and_curves")
_ATTENTION = attention.FRONTEND.css  # the figure is in the run's
_FORCED = style("common/forced_colors").replace("gf-root", "gf-run")
_STYLES = (_ATTENTION, CURVES, style("live_run/live_run"), style("common/wide"), _FORCED)
FRONTEND = frontend("live_run", "gf-run", "\n".join(_STYLES))
