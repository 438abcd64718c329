"""The arithmetic of one attention weight as HTML tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..templates import render

TEMPLATE = "html/templates/arithmetic.html"


class Step(NamedTuple):
    """One line: what is done, the sum as a calculator takes it, its result, and the model's own number."""

    name: str
    sum: str
    result: str
    exact: float


class Key(NamedTuple):
    """One key of the row: score, e to the score, and the share; "" where the mask forbids it."""

    token: str
    score: str
    power: str
    weight: str


def steps_html(steps: Sequence[Step], words: Mapping[str, str]) -> str:
    """The steps from q · k to the weight."""
    return render(TEMPLATE, "steps", steps=steps, words=words)


def products_html(products: Sequence[tuple[str, str, str]], words: Mapping[str, str]) -> str:
    """All D products q_i × k_i, in as many columns as there is room for."""
    return render(TEMPLATE, "products", products=products, words=words)


def row_html(keys: Sequence[Key], chosen: int, words: Mapping[str, str]) -> str:
    """The row that the softmax divides by: every key with its score, its power of e and its weight."""
    return render(TEMPLATE, "keys", keys=keys, chosen=chosen, words=words)


def cell_rows(
    products: Sequence[tuple[str, str, str]], steps: Sequence[Step], keys: Sequence[Key]
) -> list[dict[str, object]]:
    """Everything in one long table: the products, the row's powers of e, the steps."""
    lines: list[dict[str, object]] = [
        {"part": "product", "index": i, "sum": f"{q} * {k}", "result": product}
        for i, (q, k, product) in enumerate(products)
    ]
    lines += [
        {"part": "key", "index": i, "token": key.token, "sum": f"e^{key.score}" * bool(key.score), "result": key.power}
        for i, key in enumerate(keys)
    ]
    lines += [
        {"part": "step", "index": i, "sum": step.sum, "result": step.result, "exact": step.exact}
        for i, step in enumerate(steps)
    ]
    return [{name: _plain(value) for name, value in line.items()} for line in lines]


def _plain(value: object) -> object:
    """Numbers with the minus that a spreadsheet reads."""
    return value.replace("−", "-") if isinstance(value, str) else value
