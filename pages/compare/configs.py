"""The fields of two configs side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.compare import config_differences
from pages.compare.pair import Pair, Side
from pages.shared.links import END
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.figures.figure import Assembled
from viz.html.configs import Field, fields_html, fields_rows, fields_svg
from viz.standalone.document import Table


def configs(pair: Pair) -> None:
    """Every field of both configs, those that differ marked and first."""
    entries = [side.entry for side in pair.sides]
    lines = config_differences.config_lines(*(entry.config for entry in entries))
    lines += config_differences.card_lines(*map(_card, pair.sides))
    count = sum(line.differs for line in lines)
    show.text(words("compare_config.count" if count else "compare_config.none", count=count, all=len(lines)))
    only = count > 0 and controls.toggle("only", words("compare_config.only"), False)
    fields = [_field(line) for line in lines if line.differs or not only]
    names = (pair.a.name, pair.b.name)
    texts = section("compare_table")
    if fields:
        table = Assembled(
            lambda: [Table(fields_html(fields, names, texts))],
            lambda: fields_svg(fields, names, texts),
            lambda: fields_rows(fields),
        )
        show.figure("configs_table", table, files="compare-configs")


def _card(side: Side) -> Mapping[str, Any]:
    """The card of a model at its moment: of its training the steps that were made by then."""
    card = side.entry.card
    return card if side.moment == END else card | {"training": card["training"] | {"steps": int(side.moment)}}


def _field(line: config_differences.Line) -> Field:
    values = (_spelled(line.first), _spelled(line.second))
    return Field(line.name, words(f"compare_field.{line.name}"), values, line.differs)


def _spelled(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return words("compare_table.yes" if value else "compare_table.no")
    return f"{value:,}" if isinstance(value, int) else view.spelled(value)
