"""What the heads of both models match, and at which moment of its training a head of A began to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from model.attribution.score_terms import sources
from model.checkpoint import catalogue
from model.circuits import card_sentences
from model.decode import translate
from pages.compare.pair import Pair, Side, checkpoint, moments
from pages.shared.layout import progress
from pages.shared.links import END, START
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html
from viz.numbers import percent

CELL = 44  # px
if TYPE_CHECKING:
    Heads = Mapping[str, sources.Matched]  # by recorded name; named here, it would load torch before the first page


def matches(pair: Pair) -> None:
    """The shares of every head of A and of B, and one head of A at each moment of its training."""
    if any(side.changes for side in pair.sides):
        show.caption(words("compare_matches.changes"))
    results = progress.computed(
        f"matches {[(side.entry.fingerprint, side.moment) for side in pair.sides]}",
        list(dict.fromkeys((side.entry, side.moment) for side in pair.sides)),
        _measured,
    )
    if results is None:
        return
    first, second = (results[side.entry, side.moment] for side in pair.sides)
    heads = [head for head in first if head in second]
    if not heads:
        show.text(words("compare_matches.none"))
        return
    chosen = controls.named("of_head", words("compare_matches.head"), heads, max(heads, key=_change(first, second)))

    def choose(cell: Selection) -> None:
        name = list(first if cell.key == "a" else second)[cell.row]
        if name in heads:
            view.choose(of_head=name)

    pictures = [_matrix(*each) for each in zip("ab", pair.sides, (first, second), strict=True)]
    most = _most_changed(first[chosen], second[chosen])
    at = Selection("a", list(first).index(chosen), sources.SOURCES.index(most))
    matrices("matches", pictures, cell=CELL, selection=at, on_select=choose)
    show.text(_says(chosen, first[chosen], second[chosen]))
    rows = [
        {"model": side.name, "head": head, "spread": each.spread, **each.shares}
        for side, table in zip(pair.sides, (first, second), strict=True)
        for head, each in table.items()
    ]
    export.files("compare-matches", Numbers(rows), measured={"sentences": len(_sentences(pair.a.entry))})
    _began(pair.a.entry, chosen)
    show.caption(words("compare_matches.measured", sentences=len(_sentences(pair.a.entry))))


@models.cached
def _sentences(entry: catalogue.Entry) -> list[str]:
    return card_sentences.readable(entry, models.checkpoint(entry))


@models.cached(beside="always")
def _measured(entry: catalogue.Entry, moment: str) -> dict[str, sources.Matched]:
    at = checkpoint(entry, moment)
    found = sources.matched(at.model, (translate.translate(at, text).trace for text in _sentences(entry)))
    return {".".join(map(str, head)): each for head, each in found.items()}


def _change(first: Heads, second: Heads):  # type: ignore[no-untyped-def]
    """How far the shares of a head moved."""
    return lambda head: sum(abs(first[head].shares[each] - second[head].shares[each]) for each in sources.SOURCES)


def _most_changed(first: sources.Matched, second: sources.Matched) -> str:
    return max(sources.SOURCES, key=lambda source: abs(first.shares[source] - second.shares[source]))


def _matrix(key: str, side: Side, table: Heads) -> Matrix:
    return Matrix(
        key,
        side.name,
        np.array([[each.shares[source] for source in sources.SOURCES] for each in table.values()]),
        tuple(table),
        tuple(_source(source) for source in sources.SOURCES),
        row_axis=words("compare_matches.heads"),
        column_axis=words("compare_matches.sources"),
        limit=1.0,
        decimals=2,
    )


def _says(head: str, first: sources.Matched, second: sources.Matched) -> str:
    """The source of a head that differs most between the two."""
    most = _most_changed(first, second)
    return words(
        "compare_matches.says",
        head=head,
        source=_source(most),
        a=percent(first.shares[most]),
        b=percent(second.shares[most]),
        spread_a=f"{first.spread:.2f}",
        spread_b=f"{second.spread:.2f}",
    )


def _began(entry: catalogue.Entry, head: str) -> None:
    """A line for each moment of the training of A, the one marked at which the head began to match."""
    steps = {_step(entry, moment): moment for moment in moments(entry)}
    if len(steps) == 1:
        show.text(words("compare_matches.no_history"))
        return
    results = progress.computed(
        f"matches of {entry.name} {entry.fingerprint}",
        [(entry, moment) for moment in steps.values()],
        _measured,
    )
    if results is None:
        return
    found = {step: results[entry, moment][head] for step, moment in steps.items() if head in results[entry, moment]}
    began = sources.begins({step: each.spread for step, each in found.items()})
    show.subheader(words("compare_matches.began_title", head=head))
    show.text(words("compare_matches.began", spread=f"{found[max(found)].spread:.2f}", moment=_named(steps[began])))
    heads = [*(words(f"compare_matches.{name}") for name in ("moment", "spread")), *map(_source, sources.SOURCES)]
    rows = [
        (_named(steps[step]), f"{each.spread:.2f}", *(percent(each.shares[source]) for source in sources.SOURCES))
        for step, each in sorted(found.items())
    ]
    show.table(table_html(heads, rows, chosen=sorted(found).index(began)))
    numbers = [{"step": step, "spread": each.spread, **each.shares} for step, each in sorted(found.items())]
    export.files("compare-began", Numbers(numbers), measured={"sentences": len(_sentences(entry))})


def _source(name: str) -> str:
    return words(f"compare_matches.{'other_heads' if name == sources.HEADS else name}")


def _step(entry: catalogue.Entry, moment: str) -> int:
    if moment == END:
        return int(entry.card.get("training", {}).get("steps", 0))
    return 0 if moment == START else int(moment)


def _named(moment: str) -> str:
    if moment in (START, END):
        return words(f"compare.{'start' if moment == START else 'end'}")
    return words("compare.step", step=f"{int(moment):,}")
