"""One question as it is put to the user: its numbers, options and picture, and whether an answer is right."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from model.config import TransformerConfig
from model.quiz.answers import figures, readings, shape
from model.trace import AttentionKind, Trace

Kind = Literal["choice", "number", "shape", "head", "steps"]
RIGHT = "right"  # the right option of a question whose options are always the same


@dataclass(frozen=True, eq=False)
class QuizMaterial:
    """Material of questions: the config of the current model, the trace of its run, and a number to draw by."""

    config: TransformerConfig
    trace: Trace
    numbers: int

    def draw(self, name: str) -> random.Random:
        """The random generator of one question: the same for the same `numbers`."""
        return random.Random(f"quiz {name} {self.numbers}")

    @property
    def own(self) -> AttentionKind:
        """The self-attention that is asked about: the encoder's where there is one."""
        return "encoder" if "encoder" in self.trace.kinds else "decoder"

    def labels(self, kind: AttentionKind) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens of queries and of keys. In cross-attention a query is named by the token that it writes."""
        trace = self.trace
        if kind == "encoder":
            return trace.source_tokens, trace.source_tokens
        if kind == "decoder":
            return trace.target_tokens, trace.target_tokens
        return trace.output_tokens, trace.source_tokens


@dataclass(frozen=True, eq=False)
class Picture:
    """The picture of a question: an array with its labels."""

    kind: Literal["weights", "mask", "row", "bars", "positions"]
    values: np.ndarray
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    colour: str = "neutral"
    row: int = -1  # the row that is asked about


class Share(float):
    """A share of 1, which a page writes in percent."""


@dataclass(frozen=True, eq=False)
class PosedQuestion:
    """A question as it is put to the user.

    key         the right answer: an option, a number, a shape, several heads, or a step
    values      values for the placeholders of its texts
    options     of a choice the names, of steps the values
    texts       option -> its text, for options that are tokens or numbers and have no text in the content files
    measured    answer -> the number that was measured for it, for heads and steps
    tolerance   accepted error of a number, as a share of the key; at least `rounding` is accepted
    door        settings of the page on which the answer can be seen
    """

    kind: Kind
    key: Any
    values: Mapping[str, object] = field(default_factory=dict)
    options: Sequence[Any] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    measured: Mapping[str, str | Share] = field(default_factory=dict)
    tolerance: float = 0.0
    rounding: float = 1e-9
    picture: Picture | None = None
    door: Mapping[str, object] = field(default_factory=dict)

    @property
    def typed(self) -> bool:
        """Whether users type the answer; else they choose it."""
        return self.kind in ("number", "shape")

    def is_right(self, answer: str) -> bool:
        """Whether an answer is right. Raises `InvalidInput` for an answer that cannot be read."""
        if self.kind == "number":
            error = min(abs(value - self.key) for value in readings(answer))
            return error <= max(abs(self.key) * self.tolerance, self.rounding)
        if self.kind == "shape":
            return shape(answer) == tuple(self.key)
        if self.kind == "head":
            return answer in self.key
        return answer == str(self.key)

    def solution(self) -> str:
        """A right answer, as a user may type it."""
        if self.kind == "number":
            return figures(self.key)
        if self.kind == "shape":
            return "(" + ", ".join(map(str, self.key)) + ")"
        return self.key[0] if self.kind == "head" else str(self.key)


def fixed(wrong: Sequence[str], draw: random.Random, **values: object) -> PosedQuestion:
    """A choice whose options are always the same, in a drawn order."""
    return choice(RIGHT, [RIGHT, *wrong], draw, **values)


def choice(key: str, options: Sequence[str], draw: random.Random, **values: object) -> PosedQuestion:
    """A choice among named options, in a drawn order."""
    return PosedQuestion("choice", key, values, options=shuffled(options, draw))


def shuffled(options: Sequence[str], draw: random.Random) -> list[str]:
    """The options in a drawn order."""
    return draw.sample(list(options), len(options))
