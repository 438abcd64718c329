"""The board of a class, as data for the component in the browser, and the picture of a sentence's attention."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence

import numpy as np

from ..frontend import figure_frontend
from ..live_run import CURVES

TOKENS = 40  # rows or columns of a picture


def board_data(key: str, *, base: str, language: str, words: Mapping[str, str]) -> str:
    """The component's `data`: the key by which it asks the server, and the path `base` of the app's addresses."""
    content = {"key": key, "base": base, "language": language}
    return json.dumps(content | {"words": dict(words)}, ensure_ascii=False)


def picture(
    kind: str,
    layer: int,
    head: int,
    weights: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    languages: Mapping[str, str],
    *,
    own: bool = False,
) -> str:
    """The attention weights (Q, K) of one head with their labels, as JSON; of a long sentence its beginning.

    `languages` are the HTML tags of the `source` and the `target`; `own` says that a student's device computed it.
    """
    cells = np.round(np.clip(weights[:TOKENS, :TOKENS], 0, 1) * 255).astype(np.uint8)
    content: dict[str, object] = {"kind": kind, "layer": layer, "head": head, "languages": dict(languages)}
    content |= {"rows": list(rows[:TOKENS]), "columns": list(columns[:TOKENS])} | ({"own": True} if own else {})
    return json.dumps(content | {"cells": base64.b64encode(cells.tobytes()).decode()}, ensure_ascii=False)


_BOARD = figure_frontend("classroom/board", "gf-board")
FRONTEND = _BOARD._replace(css=f"{CURVES}\n{_BOARD.css}")
