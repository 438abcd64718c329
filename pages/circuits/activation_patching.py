"""How much of an answer each part carries from one sentence to another, the mean over many, with its interval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from model.circuits import patching_effects
from model.measurements import ablations
from model.measurements.measurement import Effects
from pages.circuits import cached_measurements
from pages.circuits.part_names import title_of
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import folder_command, show
from pages.shared.ui.matrices import matrices
from viz.charts.effects import average_effect_charts
from viz.data import Matrix

MOST = 16  # bars


def figures(current_run: CurrentRun) -> None:
    """Heads and feed-forwards as bars, the residual stream as a matrix for each side."""
    with page.card("figure_patching", words("circuits.patching_title"), words("circuits.patching_about")):
        result = cached_measurements.patching(current_run.entry)
        if result is None:
            return
        count, shares = result
        if not count:
            show.text(words("circuits.no_exchange"))
            return
        show.text(words("circuits.exchanged", count=count))
        config = current_run.entry.config
        streams = {side: config.layers(side) for side in ("encoder", "decoder") if config.layers(side)}
        measured = {"sentences": count, "seed": cached_measurements.seed(current_run.entry)}
        _parts({name: share for name, share in shares.items() if name.split(".")[2] not in _ROLES}, measured)
        sides = [_stream(shares, side, layers) for side, layers in streams.items()]
        rows = _rows({name: share for name, share in shares.items() if name.split(".")[2] in _ROLES})
        matrices("streams", sides, cell=64, files="patching-streams", rows=lambda: rows, measured=measured)
        show.caption(words("circuits.streams_hint"))
        rest = " --examples" if ablations.MEASUREMENT.saved(current_run.entry) is None else ""
        folder_command.repeat(current_run.entry, ablations.MEASUREMENT.name, rest)


_ROLES = ("changed", "writing", "others")


def _rows(shares: Effects) -> list[dict[str, object]]:
    """Every row of the stream with its interval, under the name of the command."""
    return [{"part": name, "effect": share.mean, "low": share.low, "high": share.high}
            for name, share in shares.items()]  # fmt: skip


def _parts(shares: Effects, measured: Mapping[str, object]) -> None:
    bars = sorted(
        ((part, share.mean, share.low, share.high) for part, share in shares.items()),
        key=lambda each: -each[1],
    )
    texts = section("circuits_chart") | section("circuits_patching_chart")
    chart = average_effect_charts.effects_chart(bars, texts, MOST, {part: title_of(part) for part in shares})
    show.figure("patching", chart, measured=measured)


def _stream(shares: Effects, side: str, layers: int) -> Matrix:
    """The share that each row of the residual stream carries, by layer: (layers + 1, roles)."""
    roles = [role for role in _ROLES if f"{side}.0.{role}" in shares]
    depths = [patching_effects.INPUT, *map(str, range(layers))]
    values = np.array([[shares[f"{side}.{depth}.{role}"].mean for role in roles] for depth in depths])
    return Matrix(
        f"stream_{side}", words(f"circuits.stream_{side}"), values,
        (words("circuits.stream_input"), *(words("circuits.stream_layer", layer=layer) for layer in range(layers))),
        tuple(words(f"circuits.row_{role}") for role in roles), row_axis=words("circuits.layers"),
        column_axis=words("circuits.stream_rows"), limit=1.0, decimals=2,
    )  # fmt: skip
