"""The paths of a logit, packed for the component in the browser: tokens and sublayers, and the edges between them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .frontend import figure_frontend


@dataclass(frozen=True)
class PathToken:
    """A token of a side, at its place in the text; `said` is what it contributes, as text."""

    side: str
    place: int
    text: str
    said: str = ""


@dataclass(frozen=True)
class PathStep:
    """A sublayer of a side, in the order of the pass."""

    side: str
    label: str


@dataclass(frozen=True)
class PathEdge:
    """A head from the token `key` to the token `row`, or a feed-forward network at `row` (key None).

    step           its sublayer, as a place among the steps
    kind           encoder, decoder or cross, for its colour
    key_side       side of the token that it reads
    value          what it adds, for its width
    part           its recorded name, for tables
    name, said     short, and as a sentence
    """

    step: int
    kind: str
    row: int
    value: float
    name: str
    said: str
    key: int | None = None
    key_side: str = ""
    part: str = ""


def path_data(
    tokens: Sequence[PathToken],
    steps: Sequence[PathStep],
    edges: Sequence[PathEdge],
    answer: PathToken,
    words: Mapping[str, str],
) -> str:
    """The component's `data`; `answer` is what is written above its token."""
    content = {
        "tokens": [[each.side, each.place, each.text, each.said] for each in tokens],
        "steps": [[each.side, each.label] for each in steps],
        "edges": [
            {"step": each.step, "kind": each.kind, "row": each.row, "value": float(f"{each.value:.6g}"),
             "name": each.name, "said": each.said, "key": each.key, "keySide": each.key_side}
            for each in edges
        ],
        "answer": [answer.side, answer.place, answer.text, answer.said],
        "words": dict(words),
    }  # fmt: skip
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


FRONTEND = figure_frontend("paths", "gf-paths")
