"""The arithmetic of one attention weight as HTML: numbers and escaped tokens in tables, nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

# What the tables say, in the user's language.
WORDS = ("step", "rounded", "exact", "products", "row", "key", "score", "power", "weight", "forbidden")


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
    lines = "".join(
        f'<tr><th scope="row">{escape(step.name)}</th><td>{escape(step.sum)} <b>= {escape(step.result)}</b></td>'
        f"<td>{f'{step.exact:.7g}'.replace('-', '−')}</td></tr>"
        for step in steps
    )
    return _table("gf-steps", [words["step"], words["rounded"], words["exact"]], lines)


def products_html(products: Sequence[tuple[str, str, str]], words: Mapping[str, str]) -> str:
    """All D products q_i × k_i, in as many columns as there is room for."""
    items = "".join(
        f"<li><span>{i}</span> {escape(q)} × {escape(k)} = <b>{escape(product)}</b></li>"
        for i, (q, k, product) in enumerate(products)
    )
    return f'<ol class="gf-products" aria-label="{escape(words["products"])}">{items}</ol>'


def row_html(keys: Sequence[Key], chosen: int, words: Mapping[str, str]) -> str:
    """The row that the softmax divides by: every key with its score, its power of e and its weight."""
    lines = "".join(
        f"<tr{' aria-current=true class=gf-chosen' if number == chosen else ''}>"
        f'<th scope="row">{escape(key.token)}</th>{_numbers(key, words)}</tr>'
        for number, key in enumerate(keys)
    )
    return _table("gf-row", [words["key"], words["score"], words["power"], words["weight"]], lines)


def _numbers(key: Key, words: Mapping[str, str]) -> str:
    cells = (key.score or words["forbidden"], key.power, key.weight)
    return "".join(f"<td>{escape(cell)}</td>" for cell in cells)


def _table(name: str, heads: Sequence[str], lines: str) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    return (
        f'<div class="gf-wide" tabindex="0" role="group"><table class="gf-numbers {name}">'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


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
