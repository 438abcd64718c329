"""Every formula that a user reads, in LaTeX: `formulas.toml` serves all languages."""

import tomllib
from functools import cache
from string import Template
from typing import NamedTuple

from pages.shared.text.words import CONTENT


class Formula(NamedTuple):
    """The LaTeX with its $placeholders, and for each symbol in it the key of the text that explains it."""

    latex: Template
    symbols: dict[str, str]


@cache
def formulas() -> dict[str, Formula]:
    """All formulas by name."""
    tables = tomllib.loads((CONTENT / "formulas.toml").read_text(encoding="utf-8"))
    return {name: Formula(Template(table.pop("latex")), table) for name, table in tables.items()}


def latex(name: str, **values: object) -> str:
    """The LaTeX of a formula, its placeholders filled."""
    return formulas()[name].latex.substitute(values)
