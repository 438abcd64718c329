"""How alike the layers are: CKA over the words of example sentences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.compare import layer_cka, side_by_side
from model.edit import edits
from model.errors import InvalidInput
from pages.compare.pair import Pair, checkpoint, edits_anywhere, listed
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import show
from pages.shared.ui.downloads import export
from pages.shared.ui.matrices import matrices
from viz.matrices.compare import layers_matrix

LEAST = 20  # words below which a likeness of layers means nothing


class Table(NamedTuple):
    """The CKA of the depths of one stack, (depths, depths′); over how many words, and what chance would give."""

    values: np.ndarray
    tokens: int
    chance: float


def layers(pair: Pair) -> None:
    """A matrix for each stack that both have: A's layers down, B's across."""
    if hindrance := _hindrance(pair):
        show.text(hindrance)
        return
    a, b = ((side.entry, side.moment, side.changes) for side in pair.sides)
    with st.spinner(words("compare_layers.running")):
        try:
            tables = _tables(*a, *b)
        except InvalidInput as error:  # a change that fits the user's sentence may not fit the cards'
            notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
            return
    figures = []
    for stack, table in tables.items():
        depths = tuple([_place(i) for i in range(count)] for count in table.values.shape)
        title = words(f"compare_layers.{stack}")
        axes = (words("compare_heads.of_a"), words("compare_heads.of_b"))
        figures.append(layers_matrix(table.values, stack, title, (depths[0], depths[1]), axes))
    if not figures or min(table.tokens for table in tables.values()) < LEAST:
        show.text(words("compare_layers.few"))
        return
    figure = matrices("layers", figures, cell=56)
    for stack, table in tables.items():
        values = {"count": table.tokens, "chance": f"{table.chance:.3f}"}
        show.text(words("compare_layers.about", stack=words(f"compare_layers.{stack}"), **values))
    export.files("compare-layers", figure)
    page.formula("cka")
    show.caption(words("compare_layers.source"))


def _place(number: int) -> str:
    return words("compare_layers.input") if not number else words("attention_figure.layer", layer=number - 1)


def _hindrance(pair: Pair) -> str:
    """Why the layers cannot be compared, in a sentence."""
    if not layer_cka.common(pair.a.entry.config, pair.b.entry.config):
        return words("compare_layers.sides")
    if not side_by_side.same_vocabulary(models.tokenizer(pair.a.entry), models.tokenizer(pair.b.entry)):
        return words("compare_layers.tokenizers")
    if not all(side_by_side.anywhere(change) for side in pair.sides for change in listed(side.changes)):
        return words("compare_layers.bound")
    return ""


@models.cached
def _tables(
    a: catalogue.Entry, moment: str, changes: str, b: catalogue.Entry, other_moment: str, other_changes: str
) -> dict[edits.Side, Table]:
    both = (checkpoint(a, moment), checkpoint(b, other_moment))
    sides = layer_cka.common(both[0].model.config, both[1].model.config)
    read = layer_cka.reads(*both, [*catalogue.sentences(a), *catalogue.sentences(b)])
    if not read:
        return {}
    streams_a, streams_b = (
        layer_cka.streams(model, sides, read, edits_anywhere(model, text, read[0].sentence))
        for model, text in zip(both, (changes, other_changes), strict=True)
    )
    return {
        side: Table(
            layer_cka.table(streams_a[side], streams_b[side]),
            len(next(iter(streams_a[side].values()))),
            layer_cka.chance(streams_a[side], streams_b[side]),
        )
        for side in sides
    }
