"""Which attention, layer and head: the controls, with what the URL asked for checked against the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from model.trace import AttentionKind
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view, widgets
from pages.shared.text import notices
from pages.shared.text.words import words
from viz.data import Look, View


@dataclass(frozen=True)
class PickedHead:
    """One head of one layer of one kind of attention."""

    kind: AttentionKind
    layer: int
    head: int

    def look(self, view: View, **more: Any) -> Look:
        """What a figure shows that begins with this head; `more` are fields of `Look`."""
        return Look(view, self.kind, self.layer, self.head, **more)


def pick_head(current_run: CurrentRun, candidates: Sequence[AttentionKind], *, first_layer: bool = False) -> PickedHead:
    """Draw the controls for kind (where there is a choice), layer and head, and give what is chosen.

    `first_layer`: a head of the first layer, whatever layer is in view elsewhere.
    """
    in_view = picked_head(current_run, candidates, first_layer=first_layer)
    kinds = _kinds(current_run, candidates)
    layers, heads, _, _ = current_run.trace.weights(in_view.kind).shape
    with st.container(horizontal=True, key="place", vertical_alignment="bottom"):
        if len(kinds) > 1:
            _control("attention_kind", kinds, in_view.kind, lambda kind: words(f"attention_figure.wall_{kind}"))
        if not first_layer:
            _control("layer", range(layers), in_view.layer, str)
        _control("head", range(heads), in_view.head, str)
    return in_view


def picked_head(
    current_run: CurrentRun, candidates: Sequence[AttentionKind], *, first_layer: bool = False
) -> PickedHead:
    """Head that is chosen, for a figure in which it is picked and that needs no controls."""
    kinds, first = _kinds(current_run, candidates), current_run.entry.card["first_look"]
    with st.container():  # for notices; it stays when they go, see `notices.show`
        kind = _valid("attention_kind", kinds, first["attention_kind"])
        layers, heads, _, _ = current_run.trace.weights(kind).shape
        layer = 0 if first_layer else _valid("layer", range(layers), first["layer"])
        return PickedHead(kind, layer, _valid("head", range(heads), first["head"]))


def _kinds(current_run: CurrentRun, candidates: Sequence[AttentionKind]) -> list[AttentionKind]:
    """Of the kinds wanted, those that the model has; where it has none of them, its own."""
    return [kind for kind in candidates if kind in current_run.trace.kinds] or list(current_run.trace.kinds)


def _valid(key: str, options: Sequence, default):
    """Value that the view asks for, or the default with a word about it."""
    value = getattr(view.view(), key)
    if value is None:
        return default if default in options else options[0]
    if value in options:
        return value
    if key != "attention_kind" or value not in ("encoder", "decoder", "cross"):
        notices.refuse("notice.place", key, field=words(f"place.{key}").lower(), value=value)
    return default if default in options else options[0]


def _control(key: str, options: Sequence, value, label) -> None:
    arguments = widgets.bound(key, value, first={"default": value}, offers=[label(option) for option in options])
    st.segmented_control(words(f"place.{key}"), list(options), format_func=label, required=True, **arguments)
