"""The configs of two models as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..templates import render

TEMPLATE = "html/templates/configs.html"
Words = Mapping[str, str]


class Field(NamedTuple):
    """A line of the table of configs: what it is called, what it means, its value in both, whether they differ."""

    name: str
    meaning: str
    values: tuple[str, str]
    differs: bool


def fields_html(fields: Sequence[Field], names: tuple[str, str], words: Words) -> str:
    """A table of configs; lines that differ have a mark and are bold."""
    return render(TEMPLATE, "fields", fields=fields, names=names, words=words)


def fields_rows(fields: Sequence[Field]) -> list[dict[str, object]]:
    """Every line of the table."""
    return [{"field": f.name, "a": f.values[0], "b": f.values[1], "differs": f.differs} for f in fields]


def fields_svg(fields: Sequence[Field], names: tuple[str, str], words: Words) -> str:
    """The same table as a picture."""
    return render(TEMPLATE, "picture", fields=fields, names=names, words=words)
