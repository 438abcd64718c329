"""What each head matches: the share of content, position and earlier parts in the variance of its scores."""

from __future__ import annotations

import numpy as np

from model.attribution.score_terms import sources
from model.intervals import Estimate
from model.measurements import score_sources
from model.trace import ATTENTION_KINDS
from pages.circuits import cached_measurements
from pages.circuits.part_names import name_of
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import words
from pages.shared.ui import folder_command, head_picker, show
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.numbers import percent

CELL = 44  # px
LEAST = 0.005


def figures(current_run: CurrentRun) -> None:
    """The shares of every head beside those of random weights, and those of the head in view with their intervals."""
    with page.card("figure_matches", words("circuits.matches_title"), words("circuits.matches_about")):
        saved = score_sources.MEASUREMENT.saved(current_run.entry)
        if saved is None:
            cached_measurements.say_missing(score_sources.MEASUREMENT, current_run.entry)
            return
        heads = list(saved.heads)
        picked = head_picker.picked_head(current_run, ATTENTION_KINDS)
        chosen = f"{picked.kind}.{picked.layer}.{picked.head}"

        def choose(cell: Selection) -> None:
            kind, layer, head = heads[cell.row].split(".")
            view.choose(attention_kind=kind, layer=int(layer), head=int(head))

        tables = {"own": saved.heads, "random": saved.random}
        pictures = [
            Matrix(
                name,
                words(f"circuits.matches_{name}"),
                np.array([[_mean(table, head, source) for source in sources.SOURCES] for head in heads]),
                tuple(heads),
                tuple(words(f"circuits_source.{source}") for source in sources.SOURCES),
                row_axis=words("circuits.matches_heads"),
                column_axis=words("circuits.matches_sources"),
                limit=1.0,
                decimals=2,
                blank=words("circuits.matches_still"),
            )
            for name, table in tables.items()
        ]
        rows = [
            {"weights": name, "part": head, "source": source, "share": share.mean, "low": share.low, "high": share.high}
            for name, table in tables.items()
            for head, shares in table.items()
            for source, share in shares.items()
        ]
        at = Selection("own", heads.index(chosen), 0) if chosen in heads else None
        matrices("matches", pictures, cell=CELL, selection=at, on_select=choose, files="score-sources", end="_matches",
                 rows=lambda: rows, measured={"sentences": saved.sentences, "seed": saved.seed})  # fmt: skip
        if chosen in heads:
            show.text(_says(chosen, saved))
        show.caption(words("circuits.matches_measured", sentences=saved.sentences))
        folder_command.repeat(current_run.entry, score_sources.MEASUREMENT.name)


def _percent(share: float) -> str:
    """A share in percent, without a sign where it is rounded to 0."""
    return percent(share if abs(share) >= LEAST else 0.0)


def _mean(table: dict[str, dict[str, Estimate]], head: str, source: str) -> float:
    """NaN where the scores of the head do not vary."""
    return table[head][source].mean if head in table else float("nan")


def _says(head: str, saved: score_sources.Saved) -> str:
    """The shares of one head with their intervals, and what random weights have of the largest."""
    shares, twin = saved.heads[head], saved.random.get(head)
    most = max(sources.SOURCES, key=lambda source: shares[source].mean)
    return words(
        "circuits.matches_says",
        head=name_of(head),
        shares=words("circuits.comma").join(_share(source, shares[source]) for source in sources.SOURCES),
        random=_share(most, twin[most]) if twin else "–",
    )


def _share(source: str, share: Estimate) -> str:
    """A share with its interval, in words."""
    values = {name: _percent(value) for name, value in zip(("share", "low", "high"), share, strict=True)}
    return words("circuits.matches_share", source=words(f"circuits_source.{source}"), **values)
