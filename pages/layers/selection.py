"""The controls for side, token, step and layer, and what they choose."""

from dataclasses import dataclass

import streamlit as st

from model.analysis import residual_stream
from model.analysis.residual_stream import Side
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls, token_picker


@dataclass(frozen=True)
class Position:
    """One token of one side."""

    side: Side
    token: int
    tokens: tuple[str, ...]


def position(current_run: CurrentRun) -> Position:
    """Draw the controls for side (where there is a choice) and token, and give what is chosen."""
    sides = residual_stream.sides(current_run.trace.values)
    titles = {side: words(f"layers_place.{side}") for side in sides}
    with st.container(horizontal=True, key="where", vertical_alignment="bottom"):
        side = sides[-1]
        if len(sides) > 1:
            side = controls.choice("side", words("layers_place.side"), titles, side)
        tokens = current_run.trace.source_tokens if side == "encoder" else current_run.trace.target_tokens
        return Position(side, token_picker.longest_first("token", words("layers_place.token"), tokens), tokens)


def step(current_run: CurrentRun, side: Side) -> int:
    """Draw the control for the step: which word is being predicted."""
    return token_picker.longest_first("step", words(f"layers_place.step_{side}"), generated(current_run, side))


def generated(current_run: CurrentRun, side: Side) -> tuple[str, ...]:
    """Names of the steps: the words that the decoder writes, or those that an encoder stands at."""
    return current_run.trace.output_tokens if side == "decoder" else current_run.trace.source_tokens


def depth(current_run: CurrentRun, side: Side) -> int:
    """Draw the control for the layer, and give it; the last one by default."""
    layers = current_run.entry.config.layers(side)
    return controls.choice("depth", words("place.layer"), {n: str(n) for n in range(layers)}, layers - 1)
