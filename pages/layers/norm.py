"""LayerNorm taken apart for one token at one depth, and beside BatchNorm on the same numbers."""

import numpy as np

from model.analysis import layer_norm
from model.analysis.layer_norm import Steps
from pages.layers import passes
from pages.layers.selection import Position
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth
from pages.shared.text.numbers import bracketed, number
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.layers import stream_charts


def figures(current_run: CurrentRun, position: Position) -> None:
    """All of this view."""
    norms = passes.norms(current_run, position.side)
    if not norms:
        show.text(words("layers_norm.none"))
        return
    with page.card("figure_norm", words("layers_norm.parts"), words("layers_norm.parts_hint")):
        at = controls.select("norm", words("layers_place.norm"), depth.titles(list(norms)), next(iter(norms)))
        _parts(current_run, position, at, norms[at])
    page.flush()
    with page.card("figure_batch", words("layers_norm.batch"), words("layers_norm.batch_hint")):
        _batch(position, norms[at])


def _parts(current_run: CurrentRun, position: Position, at: str, x: np.ndarray) -> None:
    steps = layer_norm.layer_norm(x[position.token], passes.affine(current_run.entry, position.side, at))
    kind = current_run.entry.config.norm_kind
    names = ("x", "normalised", "result") if kind == "rms" else ("x", "centred", "normalised", "result")
    vectors = {name: getattr(steps, name) for name in names}
    columns = {name: getattr(steps, name) for name in ("x", "centred", "normalised", "gain", "bias", "result")}
    show.figure(
        "layer_norm",
        stream_charts.norm_chart(vectors, section("layers_chart")).with_rows(lambda: stream_charts.norm_rows(columns)),
    )
    _numbers(steps, rms=kind == "rms")
    page.formula(f"layer_norm_{kind}")
    factor = layer_norm.textbook_factor(x.shape[1])
    show.caption(words(f"layers_norm.kind_{kind}", factor=f"{factor:.5f}", d=x.shape[1]))


def _numbers(steps: Steps, *, rms: bool) -> None:
    spread = {
        "μ": steps.mean,
        words("layers_norm.biased"): steps.biased,
        words("layers_norm.unbiased"): steps.unbiased,
    }
    constants = {words("layers_norm.rms"): steps.scale} if rms else spread
    constants[words("layers_norm.gain")] = float(steps.gain.mean())
    if not rms:
        constants[words("layers_norm.bias")] = float(steps.bias.mean())
    show.text(" · ".join(f"{name} = {number(value)}" for name, value in constants.items()))
    i = int(np.abs(steps.x).argmax())
    plain = {"x": steps.x[i], "scale": steps.scale, "normalised": steps.normalised[i], "result": steps.result[i]}
    after_sign = {"mean": steps.mean, "gain": steps.gain[i], "bias": steps.bias[i]}
    values = {name: number(value) for name, value in plain.items()}
    values |= {name: bracketed(value) for name, value in after_sign.items()}
    arithmetic = "layers_norm.arithmetic_rms" if rms else "layers_norm.arithmetic"
    show.text(words(arithmetic, dimension=i, **values))


def _batch(position: Position, x: np.ndarray) -> None:
    if len(x) < 2:
        show.text(words("layers_norm.alone"))
        return
    count = controls.slider("batch", words("layers_norm.count"), 1, len(x), max(1, len(x) // 2))
    others = [t for t in range(len(x)) if t != position.token]
    rows = sorted([position.token, *others[: count - 1]])
    show.text(words("layers_norm.kept", tokens=" · ".join(position.tokens[t] for t in rows)))
    row = rows.index(position.token)
    pairs = {
        words(f"layers_norm.{name}"): (normalise(x)[position.token], normalise(x[rows])[row])
        for name, normalise in (("layer", layer_norm.normalise_tokens), ("features", layer_norm.normalise_features))
    }
    show.figure("layer_batch_norm", stream_charts.neighbours_chart(pairs, section("layers_chart")))
    changes = [number(float(np.abs(full - fewer).max())) for full, fewer in pairs.values()]
    show.text(words("layers_norm.moved", layer=changes[0], batch=changes[1]))
    if count == 1:
        show.caption(words("layers_norm.single"))
