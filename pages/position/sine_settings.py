"""The position page's controls, and the sinusoidal table that they choose."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from model.analysis import sinusoids
from model.config import TransformerConfig
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import words
from pages.shared.ui import controls
from viz.data import Selection

PAPER = 10_000
BASES = (10, 100, 1_000, PAPER, 100_000, 1_000_000)
WIDTHS = (16, 32, 64, 128, 256, 512)
LONGEST = 256  # positions shown at most
COLUMNS = 8192  # more than any table here has
EIGHTHS = 8  # the pairs of columns that can be drawn, spread over all from the fastest on
CLOCKS = 4  # pairs drawn as clocks
WINDOWS = (64, 128, 256, 512, 1024)  # positions in the Fourier transform
WAVELENGTHS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # of the single frequency
EXTRAS = (8, 16, 32, 64, 128, 256)  # columns that a concatenated position takes


@dataclass(frozen=True)
class Sines:
    """The sinusoidal table in view."""

    base: int
    d_model: int
    length: int

    @cached_property
    def table(self) -> np.ndarray:
        """(length, d_model)."""
        return sinusoids.positions(self.length, self.d_model, self.base)

    @cached_property
    def waves(self) -> np.ndarray:
        """(d_model / 2), in positions."""
        return sinusoids.wavelengths(self.d_model, self.base)


def settings(config: TransformerConfig, *, width: int | None = None) -> Sines:
    """The controls for base, positions and d_model; the model in use gives the defaults, `width` a fixed d_model."""
    own = _own_base(config)
    with st.container(horizontal=True, key="settings", gap="medium"):
        base = controls.steps("base", words("position.base"), sorted({*BASES, own}), own, title="{:,}".format)
        length = controls.slider("length", words("position.length"), 8, LONGEST, 64, 8)
        if width is None:
            default = _own_width(config)
            width = controls.steps("d_model", words("position.d_model"), sorted({*WIDTHS, default}), default)
    return Sines(base, width, length)


def _own_base(config: TransformerConfig) -> int:
    base = config.position_base
    return int(base) if config.position == "sinusoidal" and base == int(base) else PAPER


def _own_width(config: TransformerConfig) -> int:
    """The model's d_model, unless it is odd or too narrow for a choice of pairs; then the paper's."""
    width = config.d_model
    return width if width % 2 == 0 and width >= 2 * EIGHTHS else WIDTHS[-1]


def pairs(d_model: int) -> tuple[list[int], list[int]]:
    """The control for some pairs: their even columns, and their places in the palette."""
    columns = {eighth: 2 * (eighth * (d_model // 2) // EIGHTHS) for eighth in range(EIGHTHS)}
    titles = {eighth: str(column) for eighth, column in columns.items()}
    places = sorted(controls.several("pairs", words("position.pairs"), titles, (0, 1, 2, 3)))
    return [columns[eighth] for eighth in places], places


def clocks(d_model: int) -> list[int]:
    """The even columns of the pairs drawn as clocks: spread over the faster half, where a shift shows."""
    return [2 * (c * (d_model // 4) // CLOCKS) for c in range(CLOCKS)]


def bases(base: int) -> tuple[list[int], list[int]]:
    """The control for the bases to compare, the one in view always among them; and their places in the palette."""
    options = sorted({*BASES, base})
    selection = controls.several(
        "bases", words("position.bases"), {each: f"{each:,}" for each in options}, (10, 100, PAPER)
    )
    result = sorted({*selection, base})
    return result, [options.index(each) for each in result]


def cell(sines: Sines) -> tuple[int, int]:
    """Row and column of the number that is clicked in the table, kept inside it when it shrinks."""
    row = controls.picked("row", words("position.row"), LONGEST, 3)
    column = controls.picked("column", words("position.column"), COLUMNS, 3)
    return min(row, sines.length - 1), min(column, sines.d_model - 1)


def picked(selection: Selection) -> None:
    """Keep the number that is clicked in the table."""
    view.choose(row=selection.row, column=selection.column)


def two(sines: Sines) -> tuple[int, int]:
    """The two positions whose product is clicked, at first in the middle."""
    m = controls.picked("m", words("position.axis_m"), LONGEST, sines.length // 2)
    n = controls.picked("n", words("position.axis_n"), LONGEST, sines.length // 2)
    return min(m, sines.length - 1), min(n, sines.length - 1)


def picked_two(selection: Selection) -> None:
    """Keep the product that is clicked."""
    view.choose(m=selection.row, n=selection.column)


def row_labels(length: int, current_run: CurrentRun) -> tuple[str, ...]:
    """Each position, with the token of the sentence that stands there."""
    tokens = current_run.trace.source_tokens or current_run.trace.target_tokens
    return tuple(f"{m} {tokens[m]}" if m < len(tokens) else str(m) for m in range(length))
