"""The switch for weights times the norm of what they move, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from model.attribution import norm_based_attention
from model.checkpoint import catalogue
from model.measurements import sinks
from model.tokenization.token_text import is_special
from model.trace import AttentionKind
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import sentences, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from viz.data import AttentionPanel
from viz.figures.figure import Figure
from viz.numbers import percent

SETTING = "norms"
COLUMN = "norm_share"  # of a file with numbers
LEAST = 0.001  # a fall that is worth a sentence
SINK = 0.1  # by how much a special token's share falls that is called a sink
Shares = dict[AttentionKind, np.ndarray]


def is_on() -> bool:
    """Whether norms are asked for; a page asks before it draws the switch."""
    return controls.named(SETTING, words("norms.label"), ("0", "1"), "0") == "1"


def draw(current_run: CurrentRun) -> None:
    """The switch; a recording has no values, and no switch."""
    if not current_run.is_recording:
        controls.toggle(SETTING, words("norms.label"), help=words("norms.about"))


def files_below(current_run: CurrentRun, name: str, figure: Figure, end: str | None = None, *, hint: str = "") -> None:
    """The switch and the files of a figure of weights, see `export.files`, behind a hint."""
    with st.container(horizontal=True, vertical_alignment="center", key="below_attention"):
        if hint:
            show.caption(hint)
        draw(current_run)
        export.files(f"{name}-norms" if is_on() else name, figure, f"_{name}" if end is None else end)


def shares(current_run: CurrentRun) -> Shares | None:
    """What stands in place of the weights, by kind, (L, H, Q, K); None where it is not asked for or not there yet."""
    if current_run.is_recording or not is_on() or current_run.recorded:
        return None
    return _shares(current_run.entry, current_run.sentence)


@models.cached
def _shares(entry: catalogue.Entry, sentence: str) -> Shares:
    return norm_based_attention.of_every_kind(models.checkpoint(entry).model, models.run(entry, sentence).trace)


def explained(entry: catalogue.Entry, weights: AttentionPanel, norms: AttentionPanel) -> None:
    """The tokens whose shares fall most in this kind of attention, the formula, and what it does not show."""
    show.text(falling(weights, norms))
    if measured := _measured(entry, weights.kind):
        show.text(measured)
    formula()


def _measured(entry: catalogue.Entry, kind: AttentionKind) -> str:
    """The largest fall of a special token over held-out sentences, beside random weights; empty if not saved."""
    sink = (sinks.MEASUREMENT.saved(entry) or {}).get(kind)
    if sink is None:
        return ""
    low, high, random = (f"{100 * share:.1f}" for share in (sink.fall.low, sink.fall.high, sink.random))
    place = {"token": sink.token, "layer": sink.layer, "head": sink.head, "count": sink.sentences}
    shares = {"before": percent(sink.weight, 1), "after": percent(sink.norm, 1)}
    return words("norms.measured", **place, **shares, low=low, high=high, random=random)


def formula() -> None:
    """What a share is, and what it does not show."""
    show.formula("norm_weights")
    show.caption(words("norms.limits"))


def waits(current_run: CurrentRun) -> None:
    """Say that norms need the model itself, not only its recorded example."""
    if current_run.recorded and not current_run.is_recording and is_on():
        show.caption(words("norms.waits"))


def kept(current_run: CurrentRun) -> None:
    """Say that a figure keeps the weights, where norms are asked for."""
    if not current_run.is_recording and is_on():
        show.caption(words("norms.kept"))


def falling(weights: AttentionPanel, norms: AttentionPanel) -> str:
    """The token whose share falls most in this kind of attention, and the other sinks."""
    falls = norm_based_attention.falls(weights.weights, norms.weights)
    if falls[0].weight - falls[0].norm < LEAST:
        return words("norms.alike")
    others = [_said("place", fall, weights.keys) for fall in falls[1:] if _is_sink(fall, weights.key_specials)]
    return sentences(
        _said("falls", falls[0], weights.keys),
        words("norms.sink") if _is_sink(falls[0], weights.key_specials) else "",
        words("norms.sinks", places=words("notice.between").join(others)) if others else "",
    )


def _is_sink(fall: norm_based_attention.Fall, specials: Sequence[bool]) -> bool:
    return specials[fall.key] and fall.weight - fall.norm >= SINK


def falling_in_step(
    weights: Mapping[AttentionKind, np.ndarray], norms: Shares, keys: Mapping[AttentionKind, Sequence[str]]
) -> str:
    """The token whose share falls most in one row of one layer: weights and norms (H, K) of each kind."""
    rows = {kind: (weights[kind][None, :, None], norms[kind][None, :, None]) for kind in weights}
    by_kind = {kind: norm_based_attention.largest_fall(*both) for kind, both in rows.items()}
    kind, fall = min(by_kind.items(), key=lambda each: each[1].norm - each[1].weight)
    if fall.weight - fall.norm < LEAST:
        return words("norms.alike_step")
    is_sink = _is_sink(fall, list(map(is_special, keys[kind])))
    text = _said("falls_step", fall, keys[kind], attention=words(f"attention_figure.{kind}"))
    return sentences(text, words("norms.sink") if is_sink else "")


def _said(text: str, fall: norm_based_attention.Fall, keys: Sequence[str], **more: str) -> str:
    place = {"token": keys[fall.key], "layer": fall.layer, "head": fall.head}
    return words(f"norms.{text}", **place, **more, before=percent(fall.weight, 1), after=percent(fall.norm, 1))
