"""The effect of removing each part of the model, the mean over many sentences, with its interval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from model.circuits import ablation
from model.measurements import ablations
from model.measurements.measurement import Effects
from pages.circuits import cached_measurements
from pages.circuits.part_names import name_of, title_of
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.matrices import matrices
from viz.charts.effects import average_effect_charts
from viz.data import Matrix
from viz.numbers import signed

MOST = 24  # bars


def figures(current_run: CurrentRun) -> None:
    """A bar for each part, the most needed first."""
    with page.card("figure_averages", words("circuits.averages_title"), words("circuits.averages_about")):
        titles = {way: words(f"circuits_way.{way}") for way in ablation.WAYS}
        way = controls.choice("way", words("circuits.way"), titles, "zero", hidden=True)
        show.caption(words(f"circuits_way_about.{way}"))
        result = cached_measurements.effects(current_run.entry, way)
        if result is None:
            return
        sentences, effects = result
        if not effects or not sentences:
            show.text(words("circuits.nothing"))
            return
        bars = sorted(
            ((part, effect.mean, effect.low, effect.high) for part, effect in effects.items()),
            key=lambda each: each[1],
        )
        certain = sum(effect.high < 0 for effect in effects.values())
        show.text(words("circuits.certain", certain=certain, count=len(effects), sentences=sentences))
        texts = section("circuits_chart")
        chart = average_effect_charts.effects_chart(bars, texts, MOST, {part: title_of(part) for part in effects})
        measured = {"sentences": sentences, "seed": cached_measurements.seed(current_run.entry)}
        show.figure("ablations", chart, measured=measured | {"way": way})
        _commands(current_run)
    page.flush()
    with page.card("figure_pairs", words("circuits.pairs_title"), words("circuits.pairs_about")):
        alone = result if way == "zero" else cached_measurements.effects(current_run.entry, "zero")
        _pairs(current_run, alone, measured)


def _commands(current_run: CurrentRun) -> None:
    """What prints these numbers again, and what saves better ones where they were measured just now."""
    if ablations.MEASUREMENT.saved(current_run.entry) is not None:
        folder_command.repeat(current_run.entry, ablations.MEASUREMENT.name)
        return
    command = ablations.MEASUREMENT.saving(current_run.entry.name)
    folder_command.say(current_run.entry, words("circuits.live"), command, words("circuits.not_measured_own"))
    folder_command.repeat(current_run.entry, ablations.MEASUREMENT.name, " --examples")


def _pairs(current_run: CurrentRun, alone: tuple[int, Effects] | None, measured: Mapping[str, object]) -> None:
    """Two heads removed at once: what that does beyond the sum of both alone."""
    together = None if alone is None else cached_measurements.pairs(current_run.entry, alone[1])
    if alone is None or together is None:
        return
    heads = list(dict.fromkeys(name for pair in together for name in pair.split("+")))
    if len(heads) < 2 or not set(heads) <= alone[1].keys():
        show.text(words("circuits.no_pairs"))
        return
    values = np.full((len(heads), len(heads)), np.nan)
    for pair, effect in together.items():
        a, b = (heads.index(name) for name in pair.split("+"))
        values[a, b] = values[b, a] = effect.mean - alone[1][heads[a]].mean - alone[1][heads[b]].mean
    for at, head in enumerate(heads):
        values[at, at] = alone[1][head].mean
    names = tuple(heads)
    matrix = Matrix("pairs", words("circuits.pairs_matrix"), values, names, names, row_axis=words("circuits.one_head"),
                    column_axis=words("circuits.other_head"), decimals=2)  # fmt: skip
    rows = [{"pair": pair, "effect": effect.mean, "low": effect.low, "high": effect.high}
            for pair, effect in together.items()]  # fmt: skip
    matrices("pairs", [matrix], cell=56, files="head-pairs", rows=lambda: rows, measured=measured)
    away = ~np.eye(len(heads), dtype=bool)
    a, b = np.unravel_index(int(np.where(away, values, np.inf).argmin()), values.shape)
    show.text(words("circuits.pairs_say", first=name_of(heads[a]), second=name_of(heads[b]),
                  beyond=signed(values[a, b])))  # fmt: skip
