"""The numbers of a run as its figure reads them, in the browser and in a file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.train.report import RunReport
    from model.train.run_settings import RunSettings


def scale_of_energy(settings: RunSettings) -> int:
    """By what the energy of a run's embedding is multiplied before positions are added."""
    return settings.d_model if settings.scale_embedding else 1


def numbers(report: RunReport, settings: RunSettings) -> dict[str, float]:
    """The numbers that there are, to five digits, by the names of `RunReport.numbers`."""
    every = report.numbers()
    if (energy := every["embedding_energy"]) is not None:
        every["embedding_energy"] = energy * scale_of_energy(settings)
    return {name: number for name, value in every.items() if (number := short(value)) is not None}


def short(value: float | None) -> float | None:
    """Five digits of what is not a count; what is no number is left out."""
    if value is None or isinstance(value, int):
        return value
    return float(f"{value:.5g}") if math.isfinite(value) else None
