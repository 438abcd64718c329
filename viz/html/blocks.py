"""The layers of a Transformer as boxes on each other, input at the bottom, output at the top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..templates import render

Kind = Literal["embedding", "norm", "attention", "cross", "add", "feed_forward", "output"]


@dataclass(frozen=True)
class Block:
    """One box: what it is, in what way, and the mark of what has changed there, empty where nothing has."""

    kind: Kind
    label: str
    detail: str = ""
    changed: str = ""


@dataclass(frozen=True)
class Stack:
    """One side of the model, from the input on: before its layers, one of its layers, and after them."""

    title: str
    times: str
    before: Sequence[Block]
    layer: Sequence[Block]
    after: Sequence[Block]


def stacks_html(stacks: Sequence[Stack], label: str) -> str:
    """HTML of the stacks beside each other."""
    return render("html/templates/blocks.html", "stacks", stacks=stacks, label=label)
