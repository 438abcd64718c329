"""Which token, side and place along the depth; and what the model computes for the page about its layers."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.analysis import layer_norm, logit_lens, residual_stream
from model.analysis.layer_norm import Affine
from model.analysis.logit_lens import LogitLens
from model.analysis.residual_stream import Side
from model.checkpoint.catalogue import Entry
from model.trace import Trace
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.models.warmup import is_warm
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls

FEW = 16  # tokens that fit beside each other; more go into a list


@dataclass(frozen=True)
class Place:
    """One token of one side."""

    side: Side
    token: int
    tokens: tuple[str, ...]


def place(current_run: CurrentRun) -> Place:
    """Draw the controls for side (where there is a choice) and token, and give what is chosen."""
    known = residual_stream.sides(current_run.trace.values)
    titles = {side: words(f"layers_place.{side}") for side in known}
    with st.container(horizontal=True, key="where", vertical_alignment="bottom"):
        side = known[-1]
        if len(known) > 1:
            side = controls.choice("side", words("layers_place.side"), titles, side)
        tokens = current_run.trace.source_tokens if side == "encoder" else current_run.trace.target_tokens
        return Place(side, _one_of("token", words("layers_place.token"), tokens), tokens)


def step(current_run: CurrentRun, side: Side) -> int:
    """Draw the control for the step: which word is being predicted."""
    return _one_of("step", words(f"layers_place.step_{side}"), written(current_run, side))


def written(current_run: CurrentRun, side: Side) -> tuple[str, ...]:
    """What names a step: the word that the decoder writes, or the one that an encoder stands at."""
    return current_run.trace.output_tokens if side == "decoder" else current_run.trace.source_tokens


def _one_of(key: str, label: str, tokens: Sequence[str]) -> int:
    titles = told_apart(tokens)
    words_ = [len(token) if token[0] != "<" else 0 for token in tokens]
    default = words_.index(max(words_))  # the longest word has the most to tell
    if len(tokens) <= FEW:
        return controls.choice(key, label, {t: plain(title) for t, title in enumerate(titles)}, default)
    return controls.select(key, label, dict(enumerate(titles)), default)


def told_apart(tokens: Sequence[str]) -> list[str]:
    """The tokens, a second one of the same name with its position."""
    return [f"{token} ({t})" if token in tokens[:t] else token for t, token in enumerate(tokens)]


# what needs the model itself, not only its trace


def exact(current_run: CurrentRun) -> Trace:
    """The trace of the model itself, waited for where a recorded and rounded one stands in."""
    if not current_run.recorded:
        return current_run.trace
    with nullcontext() if is_warm() else st.spinner(words("notice.running")):
        return models.run(current_run.entry, current_run.sentence).trace


def norms(current_run: CurrentRun, side: Side) -> Mapping[str, np.ndarray]:
    """Every LayerNorm of a side: its place, and the vectors (T, d_model) that enter it."""
    config = current_run.entry.config
    found = residual_stream.norms(exact(current_run).values, side, config["norm"], config["final_norm"])
    return {normed.place: normed.x for normed in found}


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def affine(entry: Entry, side: Side, at: str) -> Affine:
    """What a LayerNorm has learned."""
    return layer_norm.affine(models.checkpoint(entry).model, side, at)


def early(current_run: CurrentRun, side: Side, every_sublayer: bool) -> LogitLens:
    """What each place along the depth would predict, for every step."""
    exact(current_run)
    return _early(current_run.entry, current_run.sentence, side, every_sublayer)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _early(entry: Entry, sentence: str, side: Side, every_sublayer: bool) -> LogitLens:
    return logit_lens.early(
        models.checkpoint(entry).model, models.run(entry, sentence).trace.values, side, every_sublayer
    )


def predicts(entry: Entry) -> Side | None:
    """The side whose stream the output layer reads; None where there is no output layer."""
    if entry.config["architecture"] != "encoder":
        return "decoder"
    return "encoder" if entry.config["target_vocabulary"] else None


def depth(current_run: CurrentRun, side: Side) -> int:
    """Draw the control for the layer, and give it; the last one by default."""
    layers = current_run.entry.config[f"{side}_layers"]
    return controls.choice("depth", words("place.layer"), {n: str(n) for n in range(layers)}, layers - 1)
