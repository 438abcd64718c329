"""The map of an encoder-decoder: blocks with the shapes of one real pass, some of them doors to pages."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..palette import KIND
from ..templates import render
from .frontend import frontend, style

BLOCKS = (
    "encoder_input",
    "encoder_self_attention",
    "encoder_feed_forward",
    "encoder_output",
    "labels",
    "decoder_input",
    "decoder_self_attention",
    "cross_attention",
    "decoder_feed_forward",
    "logits",
    "next_word",
)
# block: the recorded value whose shape it shows
VALUES = {
    "encoder_input": "encoder.input",
    "encoder_self_attention": "encoder.0.self_attention.weights",
    "encoder_feed_forward": "encoder.0.feed_forward.hidden",
    "encoder_output": "encoder.output",
    "labels": "labels",
    "decoder_input": "decoder.input",
    "decoder_self_attention": "decoder.0.self_attention.weights",
    "cross_attention": "decoder.0.cross_attention.weights",
    "decoder_feed_forward": "decoder.0.feed_forward.hidden",
    "logits": "logits",
}


@dataclass(frozen=True)
class Block:
    """One block: its name among BLOCKS, the shape it computed, or a text in its place, and its door."""

    name: str
    value: tuple[int, ...] | str
    door: str | None = None


@dataclass(frozen=True)
class _Cell:
    step: int  # along the way of the sentence
    lane: int  # 0 encoder, 1 decoder
    colour: str


# The decoder starts a step later, so that its cross-attention stands beside the encoder's output.
_CELLS = {
    "encoder_input": _Cell(0, 0, "encoder"),
    "encoder_self_attention": _Cell(1, 0, "encoder"),
    "encoder_feed_forward": _Cell(2, 0, "encoder"),
    "encoder_output": _Cell(3, 0, "encoder"),
    "labels": _Cell(4, 0, "encoder"),
    "decoder_input": _Cell(1, 1, "decoder"),
    "decoder_self_attention": _Cell(2, 1, "decoder"),
    "cross_attention": _Cell(3, 1, "cross"),
    "decoder_feed_forward": _Cell(4, 1, "decoder"),
    "logits": _Cell(5, 1, "decoder"),
    "next_word": _Cell(6, 1, "decoder"),
}
# the blocks of one layer, which is repeated
_LAYERS = (
    ("encoder_self_attention", "encoder_feed_forward"),
    ("decoder_self_attention", "cross_attention", "decoder_feed_forward"),
)


# the blocks of a decoder alone whose layers work in parallel: the feed-forward network stands beside self-attention
_PARALLEL = {
    "decoder_input": _Cell(0, 0, "decoder"),
    "decoder_self_attention": _Cell(1, 0, "decoder"),
    "decoder_feed_forward": _Cell(1, 1, "decoder"),
    "logits": _Cell(2, 0, "decoder"),
    "next_word": _Cell(3, 0, "decoder"),
}


def _cells(names: Collection[str], parallel: bool) -> dict[str, _Cell]:
    """Where each block stands; an encoder or a decoder alone fills one lane, but for layers that work in parallel."""
    if "cross_attention" in names:
        return {name: _CELLS[name] for name in names}
    if parallel:
        return {name: _PARALLEL[name] for name in names}
    colour = "encoder" if "encoder_input" in names else "decoder"
    return {name: _Cell(step, 0, colour) for step, name in enumerate(block for block in BLOCKS if block in names)}


def _ways(cells: Mapping[str, _Cell]) -> list[tuple[str, str]]:
    """The pairs of blocks with an arrow from the first to the second."""
    ways: list[tuple[str, str]] = []
    for lane in (0, 1):
        ways += pairwise(sorted((n for n in cells if cells[n].lane == lane), key=lambda name: cells[name].step))
    if "cross_attention" in cells:
        ways.append(("encoder_output", "cross_attention"))
    elif any(cell.lane for cell in cells.values()):
        ways += [("decoder_input", "decoder_feed_forward"), ("decoder_feed_forward", "logits")]
    return ways


class _Grid(NamedTuple):
    """Sizes in SVG units: a block, and the distance from one to the next."""

    width: int
    height: int
    along: int
    across: int
    wide: bool

    def corner(self, step: int, lane: int) -> tuple[int, int]:
        return (
            (step * self.along + 8, lane * self.across + 26)
            if self.wide
            else (lane * self.across + 8, step * self.along + 26)
        )


def blocks_of(
    shapes: Mapping[str, tuple[int, ...]], text: str, doors: Mapping[str, str] | None = None, *, spelled: bool = False
) -> list[Block]:
    """The blocks of a pass: the shapes of its recorded values by name, and the last word or character of its output.

    `doors` are addresses by block; a model that is `spelled` writes characters and no words.
    """
    doors = doors or {}
    blocks = [Block(block, shapes[value], doors.get(block)) for block, value in VALUES.items() if value in shapes]
    output = text.strip() if spelled else re.findall(r"\w+(?:['-]\w+)*", text)
    if VALUES["decoder_input"] in shapes and text:  # an encoder fills words in, it writes no next one
        blocks.append(Block("next_word", output[-1] if output else "–", doors.get("next_word")))
    return blocks


LONGEST_VALUE = 16  # characters that a block has room for
_WIDE = _Grid(width=140, height=50, along=164, across=118, wide=True)
_TALL = _Grid(width=150, height=50, along=86, across=186, wide=False)


def architecture_svg(
    blocks: Sequence[Block], layers: tuple[int, int], words: Mapping[str, str], *, wide: bool, parallel: bool = False
) -> str:
    """The map as SVG, lying (wide) or standing; colours come from the classes of the surrounding page.

    `parallel`: both blocks of a decoder's layer read what enters it.
    """
    grid = _WIDE if wide else _TALL
    cells = _cells({block.name for block in blocks}, parallel)
    corners = {name: grid.corner(cell.step, cell.lane) for name, cell in cells.items()}
    size = (
        max(x for x, _ in corners.values()) + grid.width + 8,
        max(y for _, y in corners.values()) + grid.height + 14,
    )
    present = [sorted(corners[name] for name in layer if name in corners) for layer in _LAYERS]
    return render(
        "components/architecture.html",
        "picture",
        grid=grid,
        size=size,
        stacks=[(layer[0], layer[-1], count) for layer, count in zip(present, layers, strict=True) if count],
        arrows=[_arrow(grid, corners[start], corners[end]) for start, end in _ways(cells)],
        blocks=[(block, cells[block.name].colour, corners[block.name], *_value(block)) for block in blocks],
        words=words,
    )


def architecture_data(
    blocks: Sequence[Block], layers: tuple[int, int], words: Mapping[str, str], *, parallel: bool = False
) -> str:
    """The component's `data`: both pictures; the browser shows the one that fits."""
    return json.dumps(
        {k: architecture_svg(blocks, layers, words, wide=k == "wide", parallel=parallel) for k in ("wide", "tall")}
    )


def _value(block: Block) -> tuple[str, str]:
    """Text below the name of a block, and as much of it as there is room for."""
    value = block.value if isinstance(block.value, str) else f"({', '.join(map(str, block.value))})"
    return value, value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"


def _arrow(grid: _Grid, start: tuple[int, int], end: tuple[int, int]) -> str:
    """A path from block to block: to the right, down, or round a corner where they share neither row nor column."""
    (x, y), (to_x, to_y) = start, end
    middle, to_middle = (x + grid.width / 2, y + grid.height / 2), (to_x + grid.width / 2, to_y + grid.height / 2)
    if y == to_y:
        return f"M{x + grid.width} {middle[1]}H{to_x - 2}m-6 -4l6 4l-6 4"
    if x == to_x:
        return f"M{middle[0]} {y + grid.height}V{to_y - 2}m-4 -6l4 6l4 -6"
    if to_y < y:  # up, in the lying map
        return f"M{x + grid.width} {middle[1]}H{to_middle[0]}V{to_y + grid.height + 2}m-4 6l4 -6l4 6"
    if to_x < x:  # back to the left, in the standing map
        return f"M{middle[0]} {y + grid.height}V{to_middle[1]}H{to_x + grid.width + 2}m6 -4l-6 4l6 4"
    if grid.wide:
        return f"M{middle[0]} {y + grid.height}V{to_middle[1]}H{to_x - 2}m-6 -4l6 4l-6 4"
    return f"M{x + grid.width} {middle[1]}H{to_middle[0]}V{to_y - 2}m-4 -6l4 6l4 -6"


_COLOURS = "".join(f".{kind} {{ --kind: light-dark({c['light']}, {c['dark']}); }}\n" for kind, c in KIND.items())
FRONTEND = frontend("architecture", "gf-architecture", _COLOURS + style("architecture/architecture"))
