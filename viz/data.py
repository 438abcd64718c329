"""The inputs of figures: a labelled matrix, the attention of one kind, a part of the sheet, what is selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from .whole_words import Word, is_special, joined

Kind = Literal["encoder", "decoder", "cross"]
View = Literal["links", "matrix"]
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
T = TypeVar("T")


class Pin(NamedTuple):
    """A row, a column, or a cell of the large map of one kind of attention."""

    kind: Kind
    query: int | None
    key: int | None


@dataclass(frozen=True)
class Link:
    """Connects the figures of one group: all show what is pointed at in one of them. The server is not involved.

    heads   by kind, layer and head: layer and head of the corresponding head of the other figure, or None
    cells   the kinds whose tokens are equal in both figures, so that words and cells correspond
    """

    group: str
    heads: Mapping[str, Sequence[Sequence[tuple[int, int] | None]]]
    cells: tuple[str, ...]


class Film(NamedTuple):
    """The output of links token by token: the text after each query is `written`.

    sentence   that was read, for the file of the film
    paused     whether it waits at its beginning until somebody plays it
    """

    written: Sequence[str]
    sentence: str = ""
    paused: bool = False


@dataclass(frozen=True)
class Look:
    """What an attention figure shows of its panels.

    kind, layer, head   the head that is chosen; links show this kind alone
    pin                 the word or cell that is locked in the large map
    compact             for a figure beside a text: small squares and cells
    """

    view: View
    kind: Kind
    layer: int = 0
    head: int = 0
    pin: Pin | None = None
    link: Link | None = None
    compact: bool = False
    film: Film | None = None


@dataclass(frozen=True)
class SheetPart:
    """A matrix of the sheet without its numbers.

    path    names of the groups round it, outermost first: side, layer, sublayer, head
    over    the key of the values above which it hangs: it is what they are multiplied with
    """

    key: str
    rows: int
    columns: int
    path: tuple[str, ...]
    over: str | None = None


@dataclass(frozen=True, eq=False)
class AttentionPanel:
    """One kind of attention over one pass: all layers, all heads."""

    kind: Kind
    weights: np.ndarray  # (L, H, Q, K), each row sums to 1
    queries: tuple[str, ...]  # Q
    keys: tuple[str, ...]  # K
    query_specials: tuple[bool, ...]  # Q, True at <bos>, <eos>, …
    key_specials: tuple[bool, ...]  # K
    read: tuple[str, ...] = ()  # Q, cross only: the word read beside the one being written
    # where rows and columns are several tokens: Q + 1 and K + 1 places, where each begins among them, and their end
    query_edges: tuple[int, ...] = ()
    key_edges: tuple[int, ...] = ()

    @classmethod
    def of_tokens(
        cls,
        kind: Kind,
        weights: np.ndarray,
        queries: Sequence[str],
        keys: Sequence[str],
        read: Sequence[str] = (),
        special: Callable[[str], bool] = is_special,
    ) -> AttentionPanel:
        """Attention between tokens, of which `special` says whether one stands for no text."""
        query_specials, key_specials = (tuple(map(special, tokens)) for tokens in (queries, keys))
        return cls(kind, weights, tuple(queries), tuple(keys), query_specials, key_specials, tuple(read))

    def between(self, rows: Sequence[Word], columns: Sequence[Word], read: Sequence[Word] = ()) -> AttentionPanel:
        """The same attention between words; `read` are those of the tokens read beside the rows."""
        beside = (next((word.text for word in read if row.start < word.end), "") for row in rows)
        return replace(
            self,
            weights=joined(self.weights, rows, columns),
            queries=tuple(row.text for row in rows),
            keys=tuple(column.text for column in columns),
            query_specials=tuple(self.query_specials[row.start] for row in rows),
            key_specials=tuple(self.key_specials[column.start] for column in columns),
            read=tuple(beside) if read else (),
            query_edges=(*(row.start for row in rows), len(self.queries)),
            key_edges=(*(column.start for column in columns), len(self.keys)),
        )

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"The kind of an attention panel is one of {', '.join(KINDS)}, not {self.kind!r}.")
        _check_weights(self.kind, self.weights)
        _check_labels(self)


def sides(kind: Kind, source: T, target: T, output: T) -> tuple[T, T, T | tuple[()]]:
    """What stands at the rows, at the columns and beside the rows, of what was read and written in a pass.

    A row of self-attention is the token read; a row of cross-attention is the token written, with the one read beside.
    """
    by_kind: dict[Kind, tuple[T, T, T | tuple[()]]] = {
        "encoder": (source, source, ()),
        "decoder": (target, target, ()),
        "cross": (output, source, target),
    }
    return by_kind[kind]


def _check_weights(kind: str, weights: np.ndarray) -> None:
    if weights.ndim != 4 or 0 in weights.shape:
        raise ValueError(
            f"The {kind} weights need the shape (layers, heads, queries, keys), none of them 0; "
            f"they have {weights.shape}."
        )
    if not np.isfinite(weights).all():
        raise ValueError(f"The {kind} weights hold values that are not numbers (NaN or infinite).")
    # float32 softmax may step over 1 by a rounding error
    if weights.min() < -1e-5 or weights.max() > 1 + 1e-5:
        raise ValueError(
            f"The {kind} weights must lie between 0 and 1; they run from {weights.min():.4g} to {weights.max():.4g}."
        )


def _check_labels(panel: AttentionPanel) -> None:
    _, _, rows, columns = panel.weights.shape
    expected = {"queries": rows, "query_specials": rows, "keys": columns, "key_specials": columns}
    if panel.read:
        if panel.kind != "cross":
            raise ValueError("Only cross-attention has a word read beside each row; leave `read` empty.")
        expected["read"] = rows
    if panel.query_edges or panel.key_edges:
        expected |= {"query_edges": rows + 1, "key_edges": columns + 1}
    for name, count in expected.items():
        length = len(getattr(panel, name))
        if length != count:
            raise ValueError(
                f"The {panel.kind} weights need {count} {name}, one per position, but {length} were given."
            )


Scale = Literal["weight", "signed", "positive", "mask"]
SCALES: tuple[Scale, ...] = ("weight", "signed", "positive", "mask")
COLOURS = ("encoder", "decoder", "cross", "neutral")
MOST_DECIMALS = 8


class Selection(NamedTuple):
    """One cell of one matrix."""

    key: str
    row: int
    column: int


@dataclass(frozen=True, eq=False)
class Matrix:
    """One matrix of numbers with its labels."""

    key: str  # names it in the selection
    title: str  # shown above it
    values: np.ndarray  # (R, C); −∞ and NaN are drawn hatched; of a mask: bool
    rows: tuple[str, ...]  # R, may repeat
    columns: tuple[str, ...]  # C
    row_axis: str = ""  # what the rows are, e.g. "queries ↓"
    column_axis: str = ""  # e.g. "keys →"
    scale: Scale = "signed"  # weight: 0–1; signed: symmetric around 0; positive: from 0; mask: true or false
    colour: str = "neutral"  # of COLOURS; signed has its own two
    limit: float | None = None  # the value of full colour; None: the largest finite |value|
    decimals: int = 3
    note: str = ""  # one line under the title
    sign: str = ""  # of an equation, drawn before the matrix: x · W = q
    blank: str = ""  # what is said in place of NaN where a cell has no number and should have none

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise ValueError(f"The scale of {self.key!r} is one of {', '.join(SCALES)}, not {self.scale!r}.")
        if self.colour not in COLOURS:
            raise ValueError(f"The colour of {self.key!r} is one of {', '.join(COLOURS)}, not {self.colour!r}.")
        if not 0 <= self.decimals <= MOST_DECIMALS:
            raise ValueError(f"{self.key!r} may show 0 to {MOST_DECIMALS} decimals, not {self.decimals}.")
        _check_shape(self)
        _check_limit(self)
        _check_values(self)

    @property
    def full(self) -> float:
        """The value that gets full colour; 1 if the matrix has no finite value."""
        if self.scale in ("weight", "mask"):
            return 1.0
        if self.limit is not None:
            return self.limit
        return float(np.abs(self.finite).max(initial=0)) or 1.0

    @property
    def finite(self) -> np.ndarray:
        """All finite values, flat."""
        return self.values[np.isfinite(self.values)]


def _check_shape(matrix: Matrix) -> None:
    shape = matrix.values.shape
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"{matrix.key!r} needs the shape (rows, columns), neither of them 0; it has {shape}.")
    for name, count in zip(("rows", "columns"), shape, strict=True):
        length = len(getattr(matrix, name))
        if length != count:
            raise ValueError(f"{matrix.key!r} needs {count} labels of its {name}, but {length} were given.")


def _check_limit(matrix: Matrix) -> None:
    if matrix.limit is None:
        return
    if matrix.scale in ("weight", "mask"):
        raise ValueError(f"{matrix.key!r} has the scale {matrix.scale}, whose limit is fixed; leave `limit` empty.")
    if not (np.isfinite(matrix.limit) and matrix.limit > 0):
        raise ValueError(f"The limit of {matrix.key!r} must be greater than 0; it is {matrix.limit}.")


def _check_values(matrix: Matrix) -> None:
    kind = matrix.values.dtype.kind
    if (kind == "b") != (matrix.scale == "mask") or kind not in "biuf":
        kinds = "true or false" if matrix.scale == "mask" else "real numbers"
        raise ValueError(f"{matrix.key!r} has the scale {matrix.scale} and must hold {kinds}, not {kind!r} values.")
    finite = matrix.finite
    if matrix.scale == "mask" or not finite.size:
        return
    if np.abs(finite).max() > np.finfo(np.float32).max:
        raise ValueError(f"{matrix.key!r} holds values that are too large for 32 bits.")
    # float32 may step over an edge by a rounding error
    least, greatest = finite.min(), finite.max()
    if matrix.scale == "weight" and (least < -1e-5 or greatest > 1 + 1e-5):
        raise ValueError(
            f"The weights {matrix.key!r} must lie between 0 and 1; they run {least:.4g} to {greatest:.4g}."
        )
    if matrix.scale == "positive" and least < -1e-5 * matrix.full:
        raise ValueError(f"{matrix.key!r} has the scale positive, but its least value is {least:.4g}.")
