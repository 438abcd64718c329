"""The stream of a token: how long it is at each depth, and what each sublayer adds."""

import numpy as np
import streamlit as st

from model.analysis import residual_stream
from model.analysis.cosine import cosine
from model.analysis.residual_stream import Sublayer
from pages.layers.selection import Position
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth
from pages.shared.text.numbers import bracketed, number
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.layers import stream_charts
from viz.numbers import power_of_ten


def figures(current_run: CurrentRun, position: Position) -> None:
    """All of this view."""
    subs = residual_stream.sublayers(current_run.trace.values, position.side)
    _lengths(current_run, position, subs)
    page.flush()
    _writes(position, subs)
    _sum(current_run, position, subs)


def _lengths(current_run: CurrentRun, position: Position, subs: list[Sublayer]) -> None:
    norm = current_run.entry.config.norm
    stream = residual_stream.stream(current_run.trace.values, position.side)
    names = list(depth.titles(list(stream)).values())
    lengths = np.stack([residual_stream.lengths(x) for x in stream.values()])  # (N, T)
    sums = (
        np.array([np.nan, *(residual_stream.lengths(sub.summed[position.token]) for sub in subs)])
        if norm == "post"
        else None
    )
    colours = [stream_charts.tone(at.rpartition(".")[2], position.side) for at in stream]
    texts = section("layers_chart")
    with page.card(
        "figure_stream",
        words("layers_stream.lengths"),
        words(f"layers_stream.lengths_{norm}", d=current_run.entry.config.d_model),
    ):
        show.figure(
            "stream_lengths",
            stream_charts.stream_chart(names, colours, lengths, sums, position.tokens, position.token, texts),
        )
        page.formula(f"stream_{norm}")


def _writes(position: Position, subs: list[Sublayer]) -> None:
    names = [depth.title(sub.depth) for sub in subs]
    colours = [stream_charts.tone(sub.part, position.side) for sub in subs]
    before, output = (np.stack([getattr(sub, name)[position.token] for sub in subs]) for name in ("before", "output"))
    texts = section("layers_chart")
    with page.card("figure_writes", words("layers_stream.writes"), words("layers_stream.writes_hint")):
        left, right = st.columns(2)
        with left:
            show.figure(
                "sublayer_lengths", stream_charts.writes_chart(names, colours, residual_stream.lengths(output), texts)
            )
        with right:
            cosines = cosine(output, before)
            show.figure(
                "sublayer_cosines",
                stream_charts.cosine_chart(names, colours, cosines, texts),
            )


def _sum(current_run: CurrentRun, position: Position, subs: list[Sublayer]) -> None:
    norm = current_run.entry.config.norm
    with page.card("figure_sum", words("layers_stream.sum"), words(f"layers_stream.sum_{norm}")):
        at = controls.select(
            "sublayer", words("layers_place.sublayer"), depth.titles([sub.depth for sub in subs]), subs[-1].depth
        )
        sub = next(sub for sub in subs if sub.depth == at)
        before, output, after = (getattr(sub, name)[position.token] for name in ("before", "output", "after"))
        tone = stream_charts.tone(sub.part, position.side)
        show.figure("sublayer_sum", stream_charts.sum_chart(before, output, after, tone, section("layers_chart")))
        _arithmetic(sub, position.token, norm)


def _arithmetic(sub: Sublayer, token: int, norm: str) -> None:
    """One dimension with its numbers, and how far all of them are from adding up."""
    before, output, after = (getattr(sub, name)[token].astype(float) for name in ("before", "output", "after"))
    i = int(np.abs(output).argmax())
    numbers = {"before": number(before[i]), "output": bracketed(output[i]), "sum": number(before[i] + output[i])}
    show.text(words("layers_stream.arithmetic", dimension=i, **numbers))
    if norm == "post":
        show.caption(words("layers_stream.then_norm", sum=numbers["sum"], after=number(after[i])))
    else:
        error = power_of_ten(float(np.abs(before + output - after).max()), 2)
        show.caption(words("layers_stream.error", d=len(after), error=error))
