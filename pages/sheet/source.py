"""The sheet of a model and a sentence, kept for all sessions, and its tiles for the route `/sheet`."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Literal

import numpy as np

from model.analysis.sheet import build, cell, difference, parts
from model.checkpoint import catalogue
from model.edit import change_edits, edit_effects
from model.tokenization.tokenizer import EOS
from pages.shared.models import models
from viz import spreadsheet
from viz.components.sheet import LARGEST_TABLE, Drawn, overview
from viz.data import SheetPart
from viz.sheet import tiles
from viz.sheet.layout import layout

FORMAT = "3"  # of overview and tiles: browsers keep them for an hour
REMEMBERED = 2000  # sheets that the server can make again for a browser


Shown = Literal["original", "changed", "difference"]


@dataclass(frozen=True)
class SheetRequest:
    """Which sheet: a model, a sentence, changes as a link spells them, and which of the two passes or both."""

    entry: catalogue.Entry
    sentence: str
    changes: str = ""
    shown: Shown = "original"


@dataclass(frozen=True, eq=False)
class Summary:
    """Summary of all numbers of a part: see `Drawn` and `viz.sheet.tiles.levels`."""

    full: float
    levels: list[np.ndarray]
    numbers: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Source:
    """A sheet with its parts in order, what was computed from each, and the overview as it is sent."""

    sheet: parts.Sheet
    keys: tuple[str, ...]
    summaries: tuple[Summary, ...]
    overview: bytes = field(repr=False)

    def tile(self, part: int, level: int, row: int, column: int) -> bytes:
        """A tile of a part, see `viz.sheet.tiles.tile`. Raises IndexError for one that there is not."""
        if not 0 <= part < len(self.keys):
            raise IndexError(f"there is no part {part}")
        array = self.sheet.parts[self.keys[part]].array
        summary = self.summaries[part]
        if level == 0:
            array = tiles.hidden_as_absent(array)
        return tiles.tile(array, summary.full, summary.levels, level, row, column)

    def table(self, part: int) -> bytes:
        """All numbers of a part as CSV, a line for each, with the tokens of its rows and columns.

        Raises IndexError for a part that there is not, or of more than `LARGEST_TABLE` numbers.
        """
        if not 0 <= part < len(self.keys):
            raise IndexError(f"there is no part {part}")
        matrix, tokens = self.sheet.parts[self.keys[part]], self.sheet.tokens
        if matrix.array.size > LARGEST_TABLE:
            raise IndexError(f"{self.keys[part]} is too large for a table")
        rows, columns = (list(map(spreadsheet.cell, tokens.get(axis, ()))) for axis in matrix.axes)
        names = ["row", *(["row_token"] if rows else []), "column", *(["column_token"] if columns else []), "value"]
        lines = (
            [row, *rows[row : row + 1], column, *columns[column : column + 1], float(value)]
            for (row, column), value in np.ndenumerate(matrix.array)
        )
        return spreadsheet.table(names, lines).encode(spreadsheet.ENCODING)

    def cell(self, part: int, row: int, column: int) -> cell.Cell:
        """One number worked out. Raises IndexError for one that there is not."""
        if not 0 <= part < len(self.keys):
            raise IndexError(f"there is no part {part}")
        return cell.cell(self.sheet, self.keys[part], row, column)


_requests: OrderedDict[str, SheetRequest] = OrderedDict()
_lock = Lock()


def token(request: SheetRequest) -> str:
    """The name under which the browser asks for this sheet: its content, so that equal sheets share a name."""
    text = "\0".join(
        (FORMAT, request.entry.name, request.entry.fingerprint, request.sentence, request.changes, request.shown)
    )
    name = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    with _lock:
        _requests[name] = request
        _requests.move_to_end(name)
        while len(_requests) > REMEMBERED:
            _requests.popitem(last=False)
    return name


def find(name: str) -> Source | None:
    """The sheet of that name, made again if it is no longer kept; None for a name that was never given."""
    with _lock:
        request = _requests.get(name)
    return source(request.entry, request.sentence, request.changes, request.shown) if request else None


@models.cached
def source(entry: catalogue.Entry, sentence: str, changes: str, shown: Shown) -> Source:
    """The sheet of a sentence, which keeps its model in memory.

    Raises `InvalidInput` for a sentence or a change that the model cannot take.
    """
    original = _sheet(entry, sentence, "")
    sheet = original if shown == "original" else _sheet(entry, sentence, changes)
    differs = {
        key
        for key, part in sheet.parts.items()
        if part.kind != "weight" and _differs(part.array, original.parts[key].array)
    }
    prompt_length = len(change_edits.source_ids(models.checkpoint(entry), models.run(entry, sentence)))
    at_once = prompt_length if entry.config.architecture == "decoder" else 1
    output = _generated(entry, sheet, at_once)
    if shown == "difference":
        sheet = difference.between(original, sheet)
    of_weights = _weights(entry, _sheet=sheet)
    summaries = [of_weights.get(part.key) or _summary(part.array) for part in sheet.parts.values()]
    first = _overview(entry, sheet, original, summaries, differs, at_once, output, sentence)
    return Source(sheet, tuple(sheet.parts), tuple(summaries), first)


def _sheet(entry: catalogue.Entry, sentence: str, changes: str) -> parts.Sheet:
    """The sheet of the pass as it is, or under changes; both passes read the same tokens."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    trace = run.trace
    if changes:
        edits = change_edits.edits_of_link(checkpoint, run, changes)
        trace = replace(trace, values=edit_effects.edited_values(checkpoint, run, edits))
    return build.build(checkpoint.model, trace, run.source, run.target)


def _differs(new: np.ndarray, original: np.ndarray) -> bool:
    return new is not original and not np.allclose(new, original, rtol=0, atol=1e-6 * tiles.full(original))


@models.cached
def _weights(entry: catalogue.Entry, *, _sheet: parts.Sheet) -> dict[str, Summary]:
    """The summaries of a model's weights by key, made with the first sheet of this model."""
    return {part.key: _summary(part.array) for part in _sheet.parts.values() if part.kind == "weight"}


def _summary(array: np.ndarray) -> Summary:
    array = tiles.hidden_as_absent(array)
    full = tiles.full(array)
    finite = array[np.isfinite(array)]
    numbers = (float(finite.min()), float(finite.max()), float(finite.mean())) if finite.size else (0.0, 0.0, 0.0)
    return Summary(full, tiles.levels(array, full), numbers)


def _overview(
    entry: catalogue.Entry,
    sheet: parts.Sheet,
    original: parts.Sheet,
    summaries: list[Summary],
    differs: set[str],
    prompt_length: int,
    output: list[tuple[str, bool, str]],
    sentence: str,
) -> bytes:
    rows = [
        Drawn(
            key=part.key,
            name=part.name,
            kind=part.kind,
            rows=part.array.shape[0],
            columns=part.array.shape[1],
            axes=part.axes,
            role=part.role.replace(".", "_"),
            rule=_sign(part.rule),
            recorded=part.recorded,
            full=summary.full,
            numbers=summary.numbers,
            thumb=summary.levels[-1]
            if summary.levels
            else tiles.codes(tiles.hidden_as_absent(part.array), summary.full),
            differs=part.key in differs,
        )
        for part, summary in zip(sheet.parts.values(), summaries, strict=True)
    ]
    weights = f"{entry.name} {entry.fingerprint}"
    # a difference has no rules that say what belongs together
    return overview(
        rows, layout(placed(original)), _links(original), sheet.tokens, weights, prompt_length, output, sentence
    )


def _generated(entry: catalogue.Entry, sheet: parts.Sheet, given: int) -> list[tuple[str, bool, str]]:
    """The likeliest token after each one that the decoder read, whether it ends the text, and the text with it.

    The text begins behind the `given` tokens. None without words.
    """
    logits = sheet.parts.get("logits")
    if logits is None or logits.location.side != "decoder":
        return []
    ids = [int(row.argmax()) for row in logits.array]
    tokenizer = models.tokenizer(entry)
    tokens = tokenizer.tokens(ids, begins=entry.config.architecture != "decoder")
    texts = [tokenizer.decode(ids[given - 1 : row + 1]) for row in range(len(ids))]
    return [(token, id_ == EOS, text) for token, id_, text in zip(tokens, ids, texts, strict=True)]


def _sign(rule: parts.Rule) -> str:
    """The name of a rule, by which the figure chooses the sign before a part."""
    return "rms" if isinstance(rule, parts.Norm) and rule.kind == "rms" else type(rule).__name__.lower()


def placed(sheet: parts.Sheet) -> list[SheetPart]:
    """The parts for the layout: what a value is multiplied with hangs over it."""
    over: dict[str, str] = {}
    for part in sheet.parts.values():
        for key in parts.operands(part.rule):
            operand = sheet.parts[key]
            if operand.kind == "weight" or operand.role in ("k_transposed", "v_again"):
                over.setdefault(key, part.key)
    return [
        SheetPart(part.key, part.array.shape[0], part.array.shape[1], part.location.path, over.get(part.key))
        for part in sheet.parts.values()
    ]


def _links(sheet: parts.Sheet) -> list[tuple[int, int, str]]:
    """Lines from part to part: residual connections, and the way to the cross-attention."""
    links = []
    number = {key: place for place, key in enumerate(sheet.parts)}
    for part in sheet.parts.values():
        if isinstance(part.rule, parts.Add) and part.location.sublayer:
            links.append((number[part.rule.first], number[part.key], "residual"))
        if part.role == "memory" and isinstance(part.rule, parts.Copy):
            links.append((number[part.rule.sources[0]], number[part.key], "memory"))
    return links
