"""Where every matrix of a sheet stands. The unit is one cell; x grows to the right, y downwards.

The computation runs from left to right. Values of the same tokens stand in one band, so that a token keeps its line.
What a value is multiplied with hangs above it, column over column: a cell stands where the row on its left and the
column above it cross. Long sides are folded, and layers that do not fit side by side begin a new line, as text does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ..data import SheetPart

ASPECT = 1.9  # width ÷ height of a whole sheet
FOLD = 4  # a side longer than so many times the longest short side is folded
COLUMN_GAP = 10  # between two values
ABOVE_GAP = 5  # between a value and what hangs above it
BOX_GAPS = (80, 46, 26, 14)  # between groups of each depth
PADDING = (0, 30, 20, 8)  # inside the frame of a group, by depth
TITLE = (0, 44, 30, 14)  # the room above, for its title
LINE_GAP = 90
SIDE_TITLE = 130  # the room above the lines of a side


@dataclass(frozen=True)
class Piece:
    """A rectangle of cells of one part: `rows` from `row` on, `columns` from `column` on, with its corner at x, y."""

    part: int
    x: float
    y: float
    row: int
    rows: int
    column: int
    columns: int


@dataclass(frozen=True)
class Frame:
    """The frame round a group of parts."""

    path: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """All pieces in the order of the parts, all frames from the outside in, and the size of the whole."""

    pieces: tuple[Piece, ...]
    frames: tuple[Frame, ...]
    width: float
    height: float


@dataclass
class _Box:
    """Pieces and frames with their own origin: x at the left end, y at the first row of the values."""

    pieces: list[Piece] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    width: float = 0
    up: float = 0
    down: float = 0

    def put(self, other: _Box, x: float, y: float = 0) -> None:
        """Take over everything of another box, moved by x and y."""
        self.pieces += (_moved_piece(piece, x, y) for piece in other.pieces)
        self.frames += (Frame(f.path, f.x + x, f.y + y, f.width, f.height) for f in other.frames)
        self.width = max(self.width, x + other.width)
        self.up = max(self.up, other.up - y)
        self.down = max(self.down, other.down + y)


def layout(parts: Sequence[SheetPart]) -> Layout:
    """Place all parts, which are given in the order of the computation."""
    limit = FOLD * max(min(part.rows, part.columns) for part in parts)
    number = {part.key: place for place, part in enumerate(parts)}
    above: dict[str, list[SheetPart]] = {}
    for part in parts:
        if part.over:
            above.setdefault(part.over, []).append(part)
    arranger = _Arranger(limit, number, above)
    values = [part for part in parts if not part.over]
    blocks = [arranger.framed(list(run), 1) for _, run in groupby(values, key=lambda part: part.path[:2])]
    sides = [block.frames[-1].path[0] for block in blocks]
    whole = _flow(blocks, sides)
    pieces = sorted(whole.pieces, key=lambda piece: (piece.part, piece.row, piece.column))
    frames = sorted(whole.frames, key=lambda frame: len(frame.path))
    return Layout(tuple(pieces), tuple(frames), whole.width, whole.down)


@dataclass(frozen=True)
class _Arranger:
    limit: int
    number: dict[str, int]
    above: dict[str, list[SheetPart]]

    def framed(self, values: list[SheetPart], depth: int) -> _Box:
        """A group of `depth`: its inner boxes from left to right, in a frame with room for a title."""
        inner, x = _Box(), 0.0
        boxes = list(self._inner(values, depth + 1))
        for place, box in enumerate(boxes):
            beside_frame = bool(box.frames) or (place > 0 and bool(boxes[place - 1].frames))
            if place:
                x += BOX_GAPS[min(depth + 1, 3)] if beside_frame else COLUMN_GAP
            inner.put(box, x)
            x += box.width
        padding, title = PADDING[depth], TITLE[depth]
        outer = _Box()
        outer.put(inner, padding)
        outer.width += padding
        outer.up += padding + title
        outer.down += padding
        frame = Frame(values[0].path[: depth + 1], 0, -outer.up, outer.width, outer.up + outer.down)
        outer.frames.append(frame)
        return outer

    def _inner(self, values: list[SheetPart], depth: int) -> Iterator[_Box]:
        for path, run in groupby(values, key=lambda part: part.path[: depth + 1]):
            if len(path) > depth:
                yield self.framed(list(run), depth)
            else:
                yield from (self._column(part) for part in run)

    def _column(self, part: SheetPart) -> _Box:
        """A value with what hangs above it; where it is too wide, its columns in several rows below each other."""
        box, y = _Box(), 0.0
        for first in range(0, part.columns, self.limit):
            columns = min(self.limit, part.columns - first)
            chunk = self._chunk(part, first, columns)
            if first:
                y += chunk.up + COLUMN_GAP
            box.put(chunk, 0, y)
            y += chunk.down
        return box

    def _chunk(self, part: SheetPart, first: int, columns: int) -> _Box:
        box = _Box(width=columns, down=part.rows)
        box.pieces.append(Piece(self.number[part.key], 0, 0, 0, part.rows, first, columns))
        y = 0.0
        for over in reversed(self.above.get(part.key, [])):
            high = min(over.rows, self.limit)
            y -= ABOVE_GAP + high
            cut = (first, columns) if over.columns == part.columns else (0, over.columns)
            x = 0.0
            for row in range(0, over.rows, self.limit):  # a table that is too tall stands in columns beside each other
                rows = min(self.limit, over.rows - row)
                box.pieces.append(Piece(self.number[over.key], x, y, row, rows, *cut))
                x += cut[1] + COLUMN_GAP
            box.width = max(box.width, x - COLUMN_GAP)
        box.up = -y
        return box


def _flow(blocks: Sequence[_Box], sides: Sequence[str]) -> _Box:
    """The blocks in lines, the sides below each other; as many lines as bring the whole nearest to `ASPECT`."""
    total = sum(block.width for block in blocks)
    widest = max(block.width for block in blocks)
    widths = sorted({max(widest, total / lines) for lines in range(1, len(blocks) + 1)})
    return _placed(min((_lines(blocks, sides, width + 1) for width in widths), key=_stretch))


def _lines(blocks: Sequence[_Box], sides: Sequence[str], width: float) -> list[list[_Box]]:
    """The blocks of each line, at most `width` wide; each side begins a new line."""
    lines: list[list[_Box]] = []
    end, side = 0.0, ""
    for block, of_side in zip(blocks, sides, strict=True):
        if not lines or of_side != side or end + BOX_GAPS[0] + block.width > width:
            lines.append([])
            end, side = -BOX_GAPS[0], of_side
        lines[-1].append(block)
        end += BOX_GAPS[0] + block.width
    return lines


def _stretch(lines: Sequence[Sequence[_Box]]) -> float:
    """How far the shape of the whole is from `ASPECT`."""
    width = max(sum(block.width for block in line) + BOX_GAPS[0] * (len(line) - 1) for line in lines)
    heights = (max(block.up for block in line) + max(block.down for block in line) for line in lines)
    return abs(math.log(width / (sum(heights) + LINE_GAP * len(lines)) / ASPECT))


def _placed(lines: Sequence[Sequence[_Box]]) -> _Box:
    whole, y, last_side = _Box(), 0.0, ""
    sides = []
    for line in lines:
        side = line[0].frames[-1].path[0]
        if side != last_side:
            sides.append(side)
            y, last_side = y + SIDE_TITLE, side
        y += max(block.up for block in line)
        x = 0.0
        for block in line:
            whole.put(block, x, y)
            x += block.width + BOX_GAPS[0]
        y += max(block.down for block in line) + LINE_GAP
    whole.down = y - LINE_GAP
    whole.frames += [_round(side, whole.frames) for side in sides]
    return whole


def _round(side: str, frames: Sequence[Frame]) -> Frame:
    """The frame round all lines of a side, with room for its title."""
    inner = [frame for frame in frames if frame.path[0] == side]
    x, y = min(frame.x for frame in inner), min(frame.y for frame in inner) - SIDE_TITLE
    right, bottom = (max(frame.x + frame.width for frame in inner), max(frame.y + frame.height for frame in inner))
    return Frame((side,), x, y, right - x, bottom - y)


def _moved_piece(piece: Piece, x: float, y: float) -> Piece:
    return Piece(piece.part, piece.x + x, piece.y + y, piece.row, piece.rows, piece.column, piece.columns)
