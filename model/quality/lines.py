"""A user's own sentences, a line each, with or without references; what cannot be read is refused with its line."""

from __future__ import annotations

from typing import NamedTuple

from model.checkpoint.checkpoints import Checkpoint
from model.decode import translate
from model.errors import InvalidInput
from model.quality.answers import can_answer
from model.tokenization.tokenizer import CHARACTER_LIMIT

MOST = 500  # lines
BYTES = 1_000_000


class Line(NamedTuple):
    """A sentence with its number in the text, from 1, and the output that is hoped for."""

    number: int
    source: str
    reference: str | None = None


def decode(data: bytes) -> str:
    """The text of a file. Raises `InvalidInput` for one that is no text, or no UTF-8, or too large."""
    if len(data) > BYTES:
        raise InvalidInput("lines_bytes", count=f"{len(data):,}", limit=f"{BYTES:,}")
    if b"\0" in data:
        raise InvalidInput("lines_no_text")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInput("lines_encoding", byte=error.start + 1) from None


def read(text: str) -> tuple[Line, ...]:
    """The lines of a text: a sentence, or a sentence, a tab and a reference. Empty lines are left out.

    Raises `InvalidInput` for too many lines, one that is too long, and for references in some lines only.
    """
    if len(text.encode(errors="replace")) > BYTES:
        raise InvalidInput("lines_bytes", count=f"{len(text.encode(errors='replace')):,}", limit=f"{BYTES:,}")
    lines = [_line(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise InvalidInput("lines_none")
    if len(lines) > MOST:
        raise InvalidInput("lines_many", count=f"{len(lines):,}", limit=MOST)
    with_reference = [line for line in lines if line.reference is not None]
    if with_reference and len(with_reference) < len(lines):
        missing = next(line for line in lines if line.reference is None)
        raise InvalidInput("lines_references", row=missing.number, count=len(with_reference), lines=len(lines))
    return tuple(lines)


def _line(number: int, line: str) -> Line:
    if len(line) > 2 * CHARACTER_LIMIT:
        raise InvalidInput("lines_long", row=number, count=f"{len(line):,}", limit=f"{2 * CHARACTER_LIMIT:,}")
    source, *rest = (cell.strip() for cell in line.rstrip().split("\t"))  # spreadsheets end lines with tabs
    if len(rest) > 1:
        raise InvalidInput("lines_columns", row=number, count=len(rest) + 1)
    if not source:
        raise InvalidInput("lines_source", row=number)
    return Line(number, source, rest[0] if rest and rest[0] else None)


def check(checkpoint: Checkpoint, lines: tuple[Line, ...]) -> None:
    """Raise `InvalidInput` for the first line that the model cannot read, or for a model that this is not for."""
    if not can_answer(checkpoint.model.config):
        raise InvalidInput("lines_model", name=checkpoint.name)
    for line in lines:
        try:
            translate.encode(checkpoint, line.source)
        except InvalidInput as error:
            raise InvalidInput("line", number=line.number, problem=error) from None
