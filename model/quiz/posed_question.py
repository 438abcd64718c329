"""One question with its numbers, what is right, and how an answer is read. Answers are text, as they are typed."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from model.errors import InvalidInput
from model.trace import AttentionKind, Trace

Kind = Literal["choice", "number", "shape", "head", "steps"]
RIGHT = "right"  # the right option of a question whose options are always the same
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")
_LONGEST = 40  # characters of an answer that are looked at


@dataclass(frozen=True, eq=False)
class Given:
    """What questions are made of: the model in use, what it read and computed, and the number of a draw."""

    config: Mapping[str, Any]  # the fields of a TransformerConfig
    trace: Trace
    numbers: int

    def draw(self, name: str) -> random.Random:
        """The chance of one question: the same for the same number."""
        return random.Random(f"quiz {name} {self.numbers}")

    @property
    def own(self) -> AttentionKind:
        """The self-attention that is asked about: the encoder's where there is one."""
        return "encoder" if "encoder" in self.trace.kinds else "decoder"

    def labels(self, kind: AttentionKind) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens of queries and keys; in cross-attention the queries are named by the word that is written."""
        trace = self.trace
        if kind == "encoder":
            return trace.source_tokens, trace.source_tokens
        if kind == "decoder":
            return trace.target_tokens, trace.target_tokens
        return trace.output_tokens, trace.source_tokens


@dataclass(frozen=True, eq=False)
class Picture:
    """What a question shows: an array with its labels."""

    kind: Literal["weights", "mask", "row", "bars", "positions"]
    values: np.ndarray
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    colour: str = "neutral"
    row: int = -1  # the row that is asked about


@dataclass(frozen=True, eq=False)
class Asked:
    """A question as it is put to the user.

    key         the right option; number; shape; the right heads; the right step
    values      fill the blanks of its words
    options     of a choice their names, of steps their values
    texts       of options that are named by what the model read or by numbers, not by words of ours
    measured    answer -> the number that it comes to, for heads and steps
    tolerance   how far a number may be off: a share of the key, at least `rounding`
    door        what is set up on the page where it can be seen
    """

    kind: Kind
    key: Any
    values: Mapping[str, object] = field(default_factory=dict)
    options: Sequence[Any] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    measured: Mapping[str, str] = field(default_factory=dict)
    tolerance: float = 0.0
    rounding: float = 1e-9
    picture: Picture | None = None
    door: Mapping[str, object] = field(default_factory=dict)

    def is_right(self, answer: str) -> bool:
        """Whether an answer is right; raises `InvalidInput` for one that cannot be read."""
        if self.kind == "number":
            return abs(number(answer) - self.key) <= max(abs(self.key) * self.tolerance, self.rounding)
        if self.kind == "shape":
            return shape(answer) == tuple(self.key)
        if self.kind == "head":
            return answer in self.key
        return answer == str(self.key)

    def solution(self) -> str:
        """A right answer, as one may type it."""
        if self.kind == "number":
            return figures(self.key)
        if self.kind == "shape":
            return "(" + ", ".join(map(str, self.key)) + ")"
        return self.key[0] if self.kind == "head" else str(self.key)


def fixed(wrong: Sequence[str], draw: random.Random, **values: object) -> Asked:
    """A choice whose options are always the same, in an order of this draw."""
    return choice(RIGHT, [RIGHT, *wrong], draw, **values)


def choice(key: str, options: Sequence[str], draw: random.Random, **values: object) -> Asked:
    """A choice among named options, in an order of this draw."""
    return Asked("choice", key, values, options=shuffled(options, draw))


def shuffled(options: Sequence[str], draw: random.Random) -> list[str]:
    """Another order."""
    return draw.sample(list(options), len(options))


def place(kind: str, layer: int, head: int) -> str:
    """How a head is spelled as an answer."""
    return f"{kind}/{layer}/{head}"


def figures(value: float) -> str:
    """A number as it is shown: whole where it is whole, else four figures."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"


def number(text: str) -> float:
    """1024, 1,024, 0.5, 0,5, 1/8 or 50 %; raises `InvalidInput` for anything else."""
    if any(unicodedata.category(character) == "No" for character in text[:_LONGEST]):  # 10² is not 102
        raise InvalidInput("quiz_number", value=text[:_LONGEST])
    plain = _plain(text).replace(" ", "").replace("−", "-").rstrip("=≈")
    share = plain.endswith("%")
    plain = plain.removesuffix("%")
    try:
        above, slash, below = plain.partition("/")
        value = _decimal(above) / (_decimal(below) if slash else 1)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidInput("quiz_number", value=text[:_LONGEST]) from None
    if not np.isfinite(value):
        raise InvalidInput("quiz_number", value=text[:_LONGEST])
    return value / 100 if share else value


def _decimal(text: str) -> float:
    if not re.fullmatch(r"[+-]?[\d.,]+(e[+-]?\d{1,2})?", text):
        raise ValueError
    return float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text.replace(",", "."))


def shape(text: str) -> tuple[int, ...]:
    """(4, 9, 9), 4 9 9 or 4 × 9 × 9; raises `InvalidInput` for anything else."""
    plain = re.sub(r"[()\[\]]", " ", _plain(text))
    parts = [part for part in re.split(r"[\s,;x×*、·]+", plain) if part]
    if not parts or not all(re.fullmatch(r"\d{1,9}", part) for part in parts):
        raise InvalidInput("quiz_shape", value=text[:_LONGEST])
    return tuple(map(int, parts))


def _plain(text: str) -> str:
    """Without what a Chinese keyboard makes full-width, in small letters."""
    return unicodedata.normalize("NFKC", text[:_LONGEST]).strip().lower()
