"""Parts of the sheet: matrices with names, and the rule by which each of their cells is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

# weight: trained; value: recorded in the pass; derived: follows from both; copy: a value that stands here again
Kind = Literal["weight", "value", "derived", "copy"]
Axis = Literal[
    "source", "target", "output", "d_model", "d_k", "d_ff", "vocabulary", "label", "position", "bucket", "one"
]


@dataclass(frozen=True)
class Location:
    """Where a part belongs: "encoder" or "decoder", and what of it; None stands for the level above."""

    side: str
    block: str | int  # "embedding", a layer from 0, or "output"
    sublayer: str | None = None  # "self_attention", "cross_attention" or "feed_forward"
    head: int | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the groups round the part, outermost first."""
        steps = (self.side, self.block, self.sublayer, self.head)
        return tuple(str(step) for step in steps if step is not None)


@dataclass(frozen=True)
class Trained:
    """A weight: no rule, training found it."""


@dataclass(frozen=True, eq=False)
class LookUp:
    """factor · table[ids[row], column]"""

    table: str
    ids: np.ndarray
    factor: float = 1.0


@dataclass(frozen=True)
class Sinusoid:
    """sin(p / base^(column / d_model)) in even columns, cos(p / base^((column − 1) / d_model)) in odd ones.

    p = start + row.
    """

    base: float
    start: int = 0


@dataclass(frozen=True)
class Add:
    """first[row, column] + second[row, column], and + third[row, column] where there is one"""

    first: str
    second: str
    third: str = ""

    @property
    def read(self) -> tuple[str, ...]:
        """The keys of what is added."""
        return (self.first, self.second, self.third) if self.third else (self.first, self.second)


@dataclass(frozen=True)
class Product:
    """activation(factor · (left[row] · right[:, column] + bias[0, column]))"""

    left: str
    right: str
    bias: str | None = None
    factor: float = 1.0
    activation: str = ""  # as in the config


@dataclass(frozen=True)
class Rotation:
    """x[row, pair] turned by row × the pair's frequency, pairs being columns 0 and 1, 2 and 3, …

    frequencies (D / 2) in rad per token; with a base they are base^(−pair / D), with 0 they are the model's own.
    """

    x: str
    frequencies: tuple[float, ...]
    base: float


@dataclass(frozen=True)
class Scale:
    """first[row, column] · second[row, column]"""

    first: str
    second: str


@dataclass(frozen=True)
class Slope:
    """−slope · |column − row|, the head's own slope (ALiBi)"""

    slope: float


@dataclass(frozen=True, eq=False)
class Bucket:
    """table[bucket of column − row, 0]: the head's number for this distance (T5)"""

    table: str
    buckets: np.ndarray


@dataclass(frozen=True)
class Mask:
    """scores[row, column] (+ bias[row, column]) where the mask allows it; −∞, or a large negative number, elsewhere."""

    scores: str
    bias: str | None = None


@dataclass(frozen=True)
class Softmax:
    """exp(scores[row, column]) / Σ exp(scores[row])"""

    scores: str


@dataclass(frozen=True)
class Norm:
    """weight[column] · (x[row, column] − mean of x[row]) / deviation of x[row] + bias[column]

    Of the RMS kind, the mean and the bias are 0.
    """

    x: str
    weight: str
    bias: str | None
    eps: float
    kind: str  # as in the config: torch; textbook, (unbiased deviation) + ε in place of √(variance + ε); rms


@dataclass(frozen=True)
class Copy:
    """Numbers of other parts again: of one, rows and columns exchanged if `transposed`; of several, side by side."""

    sources: tuple[str, ...]
    transposed: bool = False


@dataclass(frozen=True, eq=False)
class Difference:
    """after[row, column] − before[row, column]"""

    before: np.ndarray
    after: np.ndarray


Rule = (
    Trained | LookUp | Sinusoid | Add | Product | Rotation | Scale | Slope | Bucket | Mask | Softmax | Norm | Copy
    | Difference
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Part:
    """One matrix of the sheet.

    name      its recorded name, or torch's name of the parameter; `[2]` is head 2
    array     (rows, columns), a view that nobody may write to
    recorded  the shape under which it is recorded or stored, all heads included
    role      what it is, whatever side, layer and head: `self_attention.q.weight`, `scores`, …
    """

    key: str
    name: str
    kind: Kind
    array: np.ndarray = field(repr=False)
    recorded: tuple[int, ...]
    axes: tuple[Axis, Axis]
    rule: Rule
    location: Location
    role: str


@dataclass(frozen=True, eq=False)
class Sheet:
    """All parts of a pass by key, in the order of the computation, and the tokens of the three axes of tokens."""

    parts: Mapping[str, Part]
    tokens: Mapping[str, tuple[str, ...]]


def operands(rule: Rule) -> tuple[str, ...]:
    """The keys of what a rule reads; of a product or a norm, what has one value per token comes first."""
    match rule:
        case LookUp(table=table) | Bucket(table=table):
            return (table,)
        case Add():
            return rule.read
        case Scale(first=first, second=second):
            return first, second
        case Rotation(x=x):
            return (x,)
        case Product(left=left, right=right, bias=bias):
            return (left, right) if bias is None else (left, right, bias)
        case Mask(scores=scores, bias=bias):
            return (scores,) if bias is None else (scores, bias)
        case Softmax(scores=scores):
            return (scores,)
        case Norm(x=x, weight=weight, bias=bias):
            return (x, weight) if bias is None else (x, weight, bias)
        case Copy(sources=sources):
            return sources
    return ()
