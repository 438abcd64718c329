"""The chosen head with another divisor in place of √d_k, beside its own weights."""

import numpy as np

from model.analysis.attention import scaling
from model.trace import path
from pages.attention.stages import locked
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.numbers import number
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.attention_figure import panels
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Matrix
from viz.numbers import three_figures

CELL, LEAST, ROOM = 30, 6, 240  # px of a cell, and of all columns: so two maps stand beside each other


def scale(current_run: CurrentRun, picked: PickedHead) -> None:
    """The control for the divisor; the head's own weights and those with this divisor, each with its measures."""
    values, name = current_run.trace.values, path(picked.kind, picked.layer)
    d_k = values[f"{name}.q"].shape[-1]
    divisors = scaling.divisors(d_k)
    factor = controls.steps(
        "factor", words("attention_scale.divisor"), list(divisors), scaling.NONE, lambda each: _named(each, d_k)
    )
    bias = values[f"{name}.position_bias"][picked.head] if f"{name}.position_bias" in values else 0.0
    new = scaling.weights(values[f"{name}.masked_scores"][picked.head], d_k, divisors[factor], bias)
    own = values[f"{name}.weights"][picked.head].astype(np.float64)
    figures = [
        _matrix("own", own, current_run, picked, _named(scaling.OWN, d_k)),
        _matrix("changed", new, current_run, picked, _named(factor, d_k)),
    ]
    columns = own.shape[1]
    cell = min(CELL, ROOM // columns) if columns <= ROOM // LEAST else None  # px; None where only the screen knows
    figure = matrices("scale", figures, cell=cell, on_select=locked)
    show.caption(words("attention_scale.says"))
    export.files(f"scale-{picked.kind}-layer{picked.layer}-head{picked.head}", figure, "_scale")


def _named(factor: float, d_k: int) -> str:
    """A divisor as the slider and a matrix name it."""
    divisor = number(scaling.divisors(d_k)[factor], 3)
    if factor == scaling.NONE:
        return words("attention_scale.none")
    return f"÷ {divisor} = √d_k" if factor == scaling.OWN else f"÷ {divisor} = {factor:g} · √d_k"


def _matrix(key: str, weights: np.ndarray, current_run: CurrentRun, picked: PickedHead, divisor: str) -> Matrix:
    panel = next(panel for panel in panels(current_run.trace) if panel.kind == picked.kind)
    axes, spread = section("attention_part"), scaling.spread(weights)
    return Matrix(
        key,
        words(f"attention_scale.{key}", divisor=divisor),
        weights,
        panel.queries,
        panel.keys,
        axes["queries"],
        axes["keys"],
        scale="weight",
        colour=picked.kind,
        note=words(
            "attention_scale.measures",
            entropy=f"{spread.entropy:.2f}",
            greatest=f"{spread.greatest:.2f}",
            gradient=three_figures(spread.gradient),
        ),
    )
