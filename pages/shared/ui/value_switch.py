"""The switch for weights times the norm of what they move, and what it shows."""

from __future__ import annotations

import numpy as np

from model.attribution import norm_weights
from model.checkpoint import catalogue
from model.trace import AttentionKind
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import sentences, words
from pages.shared.ui import controls, show
from viz.data import AttentionPanel
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


def shares(current_run: CurrentRun) -> Shares | None:
    """What stands in place of the weights, by kind, (L, H, Q, K); None where it is not asked for or not there yet."""
    if current_run.is_recording or not is_on() or current_run.recorded:
        return None
    return _shares(current_run.entry, current_run.sentence)


@models.cached
def _shares(entry: catalogue.Entry, sentence: str) -> Shares:
    model, trace = models.checkpoint(entry).model, models.run(entry, sentence).trace
    return {kind: norm_weights.norm_weights(model, trace, kind) for kind in trace.kinds}


def explained(weights: AttentionPanel, norms: AttentionPanel) -> None:
    """The token whose share falls most in this kind of attention, the formula, and what it does not show."""
    show.text(_says(weights, norms))
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


def _says(weights: AttentionPanel, norms: AttentionPanel) -> str:
    fall = norm_weights.largest_fall(weights.weights, norms.weights)
    if fall.weight - fall.norm < LEAST:
        return words("norms.alike")
    place = {"token": weights.keys[fall.key], "layer": fall.layer, "head": fall.head}
    text = words("norms.falls", **place, before=percent(fall.weight, 1), after=percent(fall.norm, 1))
    is_sink = weights.key_specials[fall.key] and fall.weight - fall.norm >= SINK
    return sentences(text, words("norms.sink") if is_sink else "")
