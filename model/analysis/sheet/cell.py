"""How one number of the sheet was computed: its rule with the numbers filled in, and the cells that these come from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from model.analysis.sheet.parts import (
    Add,
    Bucket,
    Copy,
    Difference,
    LookUp,
    Mask,
    Norm,
    Part,
    Product,
    Rotation,
    Scale,
    Sheet,
    Sinusoid,
    Slope,
    Softmax,
)

HIDDEN = -1e8  # a masked score is below: −∞ or −1e9
ACTIVATIONS: Mapping[str, Callable[[float], float]] = {
    "relu": lambda x: max(0.0, x),
    "gelu": lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))),
    "gelu-tanh": lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + math.exp(-x)) if x > -700 else 0.0,
    "tanh": math.tanh,
}
TOLERANCE = 1e-3  # of a part's range: single precision against double


@dataclass(frozen=True)
class Mark:
    """A row, a column or a cell of another part; None stands for all of that axis."""

    key: str
    row: int | None
    column: int | None


@dataclass(frozen=True)
class Cell:
    """One number and how it came about.

    rule      name of the rule, in lower case
    value     the number itself, as the model computed it
    terms     the pairs of numbers that are multiplied; of a softmax, a sum or a norm, the numbers that it reads
    numbers   what else the rule needs, by name: bias, factor, sum, mean, deviation, …
    result    the rule worked out in double precision; None for a weight, which training found
    changed   the pass went on with another number than the rule gives: somebody changed it
    marks     where the numbers come from
    """

    rule: str
    value: float
    terms: tuple[tuple[float, ...], ...] = ()
    numbers: Mapping[str, float | str] = field(default_factory=dict)
    result: float | None = None
    marks: tuple[Mark, ...] = ()
    changed: bool = False


def cell(sheet: Sheet, key: str, row: int, column: int) -> Cell:
    """The number of a part at (row, column), worked out again from what it was computed from.

    Raises KeyError or IndexError for what the sheet does not have.
    """
    part = sheet.parts[key]
    rows, columns = part.array.shape
    if not (0 <= row < rows and 0 <= column < columns):
        raise IndexError(f"{key} has no cell {row}, {column}")
    answer = _worked(sheet, part, row, column)
    if answer.result is None:
        return answer
    finite = part.array[np.isfinite(part.array)]
    span = float(np.abs(finite).max()) if finite.size else 1.0
    same = answer.value == answer.result or abs(answer.value - answer.result) <= TOLERANCE * max(span, 1e-6)
    return answer if same else Cell(**{**answer.__dict__, "changed": True})


def _worked(sheet: Sheet, part: Part, row: int, column: int) -> Cell:
    value, rule = float(part.array[row, column]), part.rule
    name: str = type(rule).__name__.lower()
    array = lambda key: sheet.parts[key].array  # noqa: E731
    match rule:
        case Product():
            return _product(sheet, rule, row, column, value)
        case LookUp(table=table, ids=ids, factor=factor):
            at = int(ids[row])
            entry = float(array(table)[at, column])
            return Cell(
                name, value, ((entry,),), {"factor": factor, "row": at}, factor * entry, (Mark(table, at, column),)
            )
        case Sinusoid(base=base, start=start):
            pair = column - column % 2
            wide = part.array.shape[1]
            angle = (start + row) / base ** (pair / wide)
            wave: Literal["sin", "cos"] = "cos" if column % 2 else "sin"
            waves = {
                "position": start + row,
                "base": float(f"{base:.6g}"),
                "pair": pair,
                "angle": angle,
                "wave": wave,
                "size": wide,
            }
            return Cell(name, value, (), waves, getattr(math, wave)(angle))
        case Add():
            terms = tuple((float(array(each)[row, column]),) for each in rule.read)
            marks = tuple(Mark(each, row, column) for each in rule.read)
            return Cell(name, value, terms, {}, sum(term for (term,) in terms), marks)
        case Rotation():
            return _rotation(sheet, rule, row, column, value)
        case Scale(first=first, second=second):
            terms = tuple((float(array(each)[row, column]),) for each in (first, second))
            marks = (Mark(first, row, column), Mark(second, row, column))
            return Cell(name, value, terms, {}, terms[0][0] * terms[1][0], marks)
        case Slope(slope=slope):
            distance = abs(column - row)
            return Cell(name, value, (), {"slope": slope, "distance": distance}, -slope * distance)
        case Bucket(table=table, buckets=buckets):
            bucket = int(buckets[row, column])
            entry = float(array(table)[bucket, 0])
            numbers = {"distance": column - row, "bucket": bucket}
            return Cell(name, value, ((entry,),), numbers, entry, (Mark(table, bucket, 0),))
        case Mask(scores=scores, bias=bias):
            read = (scores,) if bias is None else (scores, bias)
            terms = tuple((float(array(each)[row, column]),) for each in read)
            is_hidden = value <= HIDDEN
            marks = tuple(Mark(each, row, column) for each in read)
            result = value if is_hidden else sum(term for (term,) in terms)
            return Cell(name, value, terms, {"hidden": float(is_hidden)}, result, marks)
        case Softmax(scores=scores):
            read = array(scores)[row].astype(np.float64)  # (K)
            powers = np.exp(read - read.max())
            numbers = {"largest": float(read.max()), "power": float(powers[column]), "sum": float(powers.sum())}
            terms = tuple((float(each),) for each in read)
            return Cell(name, value, terms, numbers, float(powers[column] / powers.sum()), (Mark(scores, row, None),))
        case Norm():
            return _norm(sheet, rule, row, column, value)
        case Copy(sources=sources, transposed=transposed):
            source, at, across = _origin(sheet, sources, row, column, transposed)
            mark = Mark(source, at, across)
            return Cell(name, value, (), {}, float(array(source)[at, across]), (mark,))
        case Difference(before=before, after=after):
            return Cell(name, value, ((float(before[row, column]),), (float(after[row, column]),)), {}, value)
    return Cell(name, value)


def _product(sheet: Sheet, rule: Product, row: int, column: int, value: float) -> Cell:
    left = sheet.parts[rule.left].array[row].astype(np.float64)
    right = sheet.parts[rule.right].array[:, column].astype(np.float64)
    bias = float(sheet.parts[rule.bias].array[0, column]) if rule.bias else 0.0
    total = float(left @ right)
    before = rule.factor * (total + bias)
    numbers: dict[str, float | str] = {"sum": total, "factor": rule.factor, "before": before}
    marks = [Mark(rule.left, row, None), Mark(rule.right, None, column)]
    if rule.bias:
        numbers["bias"] = bias
        marks.append(Mark(rule.bias, 0, column))
    result = before
    if rule.activation:
        numbers["activation"] = rule.activation
        result = ACTIVATIONS[rule.activation](before)
    terms = tuple(zip(left.tolist(), right.tolist(), strict=True))
    return Cell("product", value, terms, numbers, result, tuple(marks))


def _rotation(sheet: Sheet, rule: Rotation, row: int, column: int, value: float) -> Cell:
    vector = sheet.parts[rule.x].array[row].astype(np.float64)  # (D)
    pair = column - column % 2
    frequency = rule.frequencies[pair // 2]
    angle = row * frequency
    first, second = float(vector[pair]), float(vector[pair + 1])
    sin, cos = math.sin(angle), math.cos(angle)
    result = first * sin + second * cos if column % 2 else first * cos - second * sin
    numbers = {"position": row, "base": rule.base, "pair": pair, "angle": angle, "odd": float(column % 2)}
    numbers["frequency"] = frequency
    marks = (Mark(rule.x, row, pair), Mark(rule.x, row, pair + 1))
    return Cell("rotation", value, ((first,), (second,)), numbers, result, marks)


def _norm(sheet: Sheet, rule: Norm, row: int, column: int, value: float) -> Cell:
    read = sheet.parts[rule.x].array[row].astype(np.float64)  # (d_model)
    mean = 0.0 if rule.kind == "rms" else float(read.mean())
    deviation = math.sqrt(float(np.square(read - mean).mean()) + rule.eps)
    if rule.kind == "textbook":
        deviation = float(read.std(ddof=1)) + rule.eps
    weight = float(sheet.parts[rule.weight].array[0, column])
    bias = float(sheet.parts[rule.bias].array[0, column]) if rule.bias else 0.0
    numbers: dict[str, float | str] = {
        "x": float(read[column]), "mean": mean, "deviation": deviation, "weight": weight, "bias": bias,
        "kind": rule.kind,
    }  # fmt: skip
    marks = (Mark(rule.x, row, None), Mark(rule.weight, 0, column))
    if rule.bias:
        marks = (*marks, Mark(rule.bias, 0, column))
    result = weight * (float(read[column]) - mean) / deviation + bias
    return Cell("norm", value, (), numbers, result, marks)


def _origin(sheet: Sheet, sources: tuple[str, ...], row: int, column: int, transposed: bool) -> tuple[str, int, int]:
    """The part, row and column that a copied cell shows."""
    if transposed:
        return sources[0], column, row
    for source in sources:
        columns = sheet.parts[source].array.shape[1]
        if column < columns:
            return source, row, column
        column -= columns
    raise IndexError(column)
