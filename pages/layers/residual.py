"""Purpose of the residual connections: a deep stack and the model in use, with them and without."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.analysis import residual_stream
from model.analysis.residual_stream import Side
from model.checkpoint import catalogue
from model.edit import residual_ablation
from pages.layers import passes
from pages.shared.layout import page
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.depth import title
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.layers import residual_charts
from viz.html.outputs import Output, outputs_html
from viz.numbers import power_of_ten


def figures(current_run: CurrentRun) -> None:
    """All of this view."""
    _stack(current_run)
    page.flush()
    _in_use(current_run)


# a stack of every depth


def _stack(current_run: CurrentRun) -> None:
    texts = section("layers_residual")
    with page.card("figure_stack", texts["stack"], texts["stack_hint"]):
        norms: dict[residual_ablation.Norm, str] = {"pre": texts["pre"], "post": texts["post"], "none": texts["none"]}
        norm = controls.choice("stack_norm", texts["norm"], norms, current_run.entry.config.norm)
        both = {texts["with"]: by_depth(norm, True), texts["without"]: by_depth(norm, False)}
        names, down = [str(depth) for depth in depths()], texts["layers"]
        left, right = st.columns(2)
        with left:
            alike = {name: stack.alike for name, stack in both.items()}
            figure = residual_charts.alike_chart(names, alike, texts, down)
            show.figure("stack_alike", figure)
        with right:
            gradient = {name: stack.gradient for name, stack in both.items()}
            figure = residual_charts.gradient_chart(names, gradient, texts, down)
            show.figure("stack_gradient", figure)
        show.text(_result(list(both.values())))
        page.formula("residual", instead_of=texts["instead_of"])
        show.caption(words(f"layers_residual.about_{norm}"))


def _result(both: list[residual_ablation.Depths]) -> str:
    """The numbers of the deepest stack, and of the one of two layers."""
    two = depths().index(2)
    residual, without = both
    return words(
        "layers_residual.result",
        two=_cosine(without.alike[two]),
        last=depths()[-1],
        alike=_cosine(residual.alike[-1]),
        gradient=power(residual.gradient[-1]),
        lost=power(without.gradient[-1]),
    )


def depths() -> tuple[int, ...]:
    """Layers of each stack drawn."""
    return residual_ablation.DEPTHS


@models.cached
def by_depth(norm: residual_ablation.Norm, with_residual: bool) -> residual_ablation.Depths:
    """The stack with its residual connections or without."""
    return residual_ablation.by_depth(norm, residual=with_residual)


def power(value: float) -> str:
    """Two digits, as a power of ten where it is very small or large; `viz.LEAST` for less, which is rounding."""
    value = max(value, residual_charts.LEAST)
    if 0.01 <= value < 1000:
        return f"{value:.2g}"
    return power_of_ten(value)


def _cosine(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


# the model in use


def _in_use(current_run: CurrentRun) -> None:
    texts = section("layers_residual")
    sides = residual_stream.sides(current_run.trace.values)
    with page.card("figure_removed", texts["removed"], texts["removed_hint"]):
        with warmup.spinner():
            ablation = removed(current_run.entry, current_run.sentence)
        _texts(current_run, ablation, texts)
        side = sides[-1]
        if len(sides) > 1:
            titles = {which: words(f"layers_place.{which}") for which in sides}
            side = controls.choice("side", words("layers_place.side"), titles, side)
        alike = _along(current_run, ablation, side)
        names = [title(at) for at in residual_stream.stream(current_run.trace.values, side)]
        kinds = {texts["with"]: alike[0], texts["without"]: alike[1]}
        show.figure("removed_alike", residual_charts.alike_chart(names, kinds, texts))
        ends = {name: _cosine(float(values[-1])) for name, values in zip(("with_", "without"), alike, strict=True)}
        show.text(words("layers_residual.removed_result", **ends))


def _texts(current_run: CurrentRun, ablation: residual_ablation.Removed, texts: Mapping[str, str]) -> None:
    if not ablation.outcome.ids:
        show.text(texts["writes_nothing"])
        return
    run = models.run(current_run.entry, current_run.sentence)
    tokens = models.tokenizer(current_run.entry).tokens
    stopped = words("layers_residual.repeats") if ablation.outcome.stop == "repetition" else ""
    pair = (
        Output(texts["with"], tokens(run.ids), frozenset(), ""),
        Output(texts["without"], tokens(ablation.outcome.ids), frozenset(), stopped),
    )
    show.table(outputs_html(*pair, section("intervene_outputs")))


def _along(current_run: CurrentRun, ablation: residual_ablation.Removed, side: Side) -> tuple[np.ndarray, np.ndarray]:
    """How alike the tokens are at each depth of a side, (N) each, with residual connections and without."""
    both = [residual_ablation.along(values, side) for values in (passes.exact(current_run).values, ablation.values)]
    return np.array(list(both[0].values())), np.array(list(both[1].values()))


@models.cached
def removed(entry: catalogue.Entry, sentence: str) -> residual_ablation.Removed:
    """The model in use without any residual connection."""
    return residual_ablation.removed(models.checkpoint(entry), models.run(entry, sentence))
