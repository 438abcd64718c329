"""Formulas: each has its LaTeX in one file, a page that shows it, and the values that its placeholders need."""

import ast
import re
from collections.abc import Iterator

import pytest

from pages.shared.text.formulas import formulas, latex
from tests.house.test_words import nodes
from tests.samples import ROOT


def shown() -> Iterator[tuple[ast.Call, set[str]]]:
    """Each call that shows a formula, with expressions that its names match."""
    for node in nodes():
        if isinstance(node, ast.Call) and re.search(r"^latex$|(page|show)\.formula$", ast.unparse(node.func)):
            name = node.args[0]
            if isinstance(name, ast.JoinedStr):
                parts = (re.escape(part.value) if isinstance(part, ast.Constant) else r"[\w-]*" for part in name.values)
                yield node, {"".join(parts)}
            else:
                either = (name.body, name.orelse) if isinstance(name, ast.IfExp) else (name,)
                yield node, {each.value for each in either if isinstance(each, ast.Constant)}


def test_every_formula_that_is_shown_is_there_and_no_other() -> None:
    patterns = {pattern for _, names in shown() for pattern in names}
    assert {pattern for pattern in patterns if not any(re.fullmatch(pattern, name) for name in formulas())} == set()
    assert {name for name in formulas() if not any(re.fullmatch(pattern, name) for pattern in patterns)} == set()


def test_every_placeholder_is_filled_where_a_formula_is_shown() -> None:
    for call, names in shown():
        arguments = {keyword.arg for keyword in call.keywords}
        if None not in arguments:  # else the values come from a mapping
            for name in names & set(formulas()):
                assert set(formulas()[name].latex.get_identifiers()) == arguments, name


def test_no_latex_stands_in_the_code() -> None:
    command = re.compile(r"\\(begin|frac|mathrm|sqrt|sum|text|underset|underbrace|cdot|times|qquad)")
    files = [path for folder in ("pages", "viz") for path in sorted((ROOT / folder).rglob("*.py"))]
    constants = [
        (path.name, node.value)
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [each for each in constants if command.search(each[1])] == []


def test_a_missing_value_is_an_error() -> None:
    """A page must not show `$weight` in place of a number."""
    with pytest.raises(KeyError, match="weight"):
        latex("product", value=1)


def test_a_live_page_computes_in_one_file() -> None:
    """What else it shows is computed in `model/`, on the server or by a graph (docs/architecture.md, "Live pages")."""
    computes = re.compile(r"\bMath\.(?:a?(?:sin|cos|tan)h?|atan2|cbrt|exp|expm1|hypot|log(?:2|10|1p)?|pow|sqrt)\b")
    scripts = [path for path in (ROOT / "live/frontend").rglob("*.js") if "vendor" not in path.parts]
    found = {path.name for path in scripts if computes.search(path.read_text(encoding="utf-8"))}
    assert found == {"formulas.js"}
