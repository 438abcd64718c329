"""Heads of attention as a standalone picture, drawn by the modules that draw them on the screen."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..components.attention import attention_data
from ..components.engine import svg
from ..data import AttentionPanel, View
from ..palette import Mode


class Head(NamedTuple):
    """One head of a panel."""

    panel: AttentionPanel
    layer: int
    head: int


def attention_svg(
    heads: Sequence[Head], words: Mapping[str, str], mode: Mode = "light", *, view: View = "matrix"
) -> str:
    """The large maps or the links of the heads, below each other, as SVG text; `words` as for `attention_data`."""
    messages = [
        attention_data([panel], view=view, kind=panel.kind, layer=layer, head=head, words=words)
        for panel, layer, head in heads
    ]
    return svg("attention", messages, mode)
