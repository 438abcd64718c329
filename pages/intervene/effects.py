"""The maps: what every head's loss does beside how striking it is, and one word's activations carried over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import streamlit as st

from model.checkpoint import catalogue, model_size
from model.decode import translate
from model.edit import activation_patching, edit_effects
from model.errors import InvalidInput
from model.trace import AttentionKind
from pages.intervene import output_words
from pages.intervene.form import SENTENCE, add_head, other_sentence
from pages.shared.changes.in_link import EditState
from pages.shared.changes.wording import head_name, source_tokens
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.session import address, script_run, view
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.charts.effects import intervention_charts
from viz.data import Selection
from viz.figures.matrices import MatrixFigure
from viz.matrices import interventions
from viz.numbers import power_of_ten, signed
from viz.palette import PARTS

BESIDE = 4  # heads of a layer, at most, for the maps of all kinds of attention to stand beside each other
FEWEST = 4  # heads that a rank correlation says something about
BATCH = 4_000_000_000  # rows · tokens · parameters at once, about 0.1 s
LOGITS = 50_000_000  # at once, 200 MB
P = TypeVar("P")
TINY = 0.001  # below it three decimals would say nothing


def effects(state: EditState) -> None:
    """Both walls of every kind of attention for the word chosen, and how their ranks agree."""
    step = output_words.step(state)
    row = output_words.steps(state).first + step
    kinds = state.run.trace.kinds
    layers = [(kind, layer) for kind in kinds for layer in range(len(state.run.trace.weights(kind)))]
    batches = _batches(state, layers, state.entry.config.heads)
    results = progress.computed(
        _mark("effects", state),
        [(batch,) for batch in batches],
        lambda batch: head_effects(state.entry, state.run.sentence, batch),
    )
    if results is None:
        return
    effects_of = dict(zip(layers, np.concatenate([results[(batch,)] for batch in batches]), strict=True))  # (H, T)
    effect = {
        kind: np.stack([effects_of[layer][:, row] for layer in layers if layer[0] == kind]) for kind in kinds
    }  # (L, H)
    striking = {kind: edit_effects.strength(state.run, kind, row) for kind in kinds}  # (L, H)
    limit = max(float(np.abs(values).max()) for values in effect.values()) or 1.0
    texts = section("intervene_map")
    figures = []
    heads = max(values.shape[1] for values in effect.values())
    columns = st.columns(len(kinds), gap="small") if heads <= BESIDE else [st.container() for _ in kinds]
    for kind, column in zip(kinds, columns, strict=True):
        mean = texts["mean"] if kind == "encoder" and state.writes else ""
        pair = interventions.head_matrices(kind, effect[kind], striking[kind], limit, texts, mean)
        figures += pair
        with column:
            show.subheader(words(f"attention_figure.wall_{kind}"))
            matrices(
                f"map_{kind}", pair, cell=44, share=1 / len(columns), selection=_here(state, kind), on_select=_choose
            )
    picked = _picked(state)
    add_head(state, picked, "add_from_map")
    export.files("head-effects", MatrixFigure(figures, words=section("matrix_figure")))
    _ranks(state, effect, striking)


def _batches(state: EditState, parts: Sequence[P], rows: int) -> list[tuple[P, ...]]:
    """Parts of a map, `rows` passes each, that are computed together: as many as are done before somebody waits."""
    config, tokens = state.entry.config, len(state.run.source) + len(state.run.target)
    work, logits = rows * tokens * model_size.parameters(config), rows * tokens * config.target_vocabulary
    size = max(1, min(BATCH // work, LOGITS // max(1, logits)))
    return [tuple(parts[start : start + size]) for start in range(0, len(parts), size)]


def _mark(name: str, state: EditState) -> str:
    """Names a map of this sentence, to know which one was cancelled."""
    return f"{name} {state.entry.name} {state.entry.fingerprint} {state.current_run.sentence}"


def _choose(cell: Selection) -> None:
    kind = cell.key.partition("_")[0]
    view.choose(attention_kind=kind, layer=cell.row, head=cell.column)


def _picked(state: EditState) -> PickedHead:
    """The head in view, or the one that the model's card shows first."""
    first, current = state.entry.card["first_look"], view.view()
    kind = current.attention_kind if current.attention_kind in state.run.trace.kinds else first["attention_kind"]
    kind = kind if kind in state.run.trace.kinds else state.run.trace.kinds[0]
    layers, heads = state.run.trace.weights(kind).shape[:2]
    layer = first["layer"] if current.layer is None else current.layer
    head = first["head"] if current.head is None else current.head
    return PickedHead(kind, min(layer, layers - 1), min(head, heads - 1))


def _here(state: EditState, kind: AttentionKind) -> Selection | None:
    picked = _picked(state)
    return Selection(f"{kind}_effect", picked.layer, picked.head) if picked.kind == kind else None


def _ranks(
    state: EditState, effect: dict[AttentionKind, np.ndarray], striking: dict[AttentionKind, np.ndarray]
) -> None:
    """Spearman's ρ for each kind and for all, with the head that looks most and the one that does most."""
    kinds = list(effect)
    sizes = {kind: np.abs(values) for kind, values in effect.items()}
    titles = {kind: words(f"attention_figure.wall_{kind}") for kind in kinds}
    flat = [np.concatenate([part[kind].ravel() for kind in kinds]) for part in (striking, sizes, effect)]
    heads = [(kind, layer, head) for kind in kinds for layer, head in np.ndindex(effect[kind].shape)]
    text, chart = st.columns([2, 3], gap="medium")
    lines = [
        _correlation(titles[kind], edit_effects.spearman(striking[kind], sizes[kind]), sizes[kind].size)
        for kind in kinds
        if sizes[kind].size >= FEWEST
    ]
    if len(kinds) > 1:
        lines.append(_correlation(words("intervene_map.all"), edit_effects.spearman(flat[0], flat[1]), len(flat[0])))
    for key, at in (("looks", int(flat[0].argmax())), ("does", int(flat[1].argmax()))):
        texts = {"head": head_name(*heads[at]), "weight": f"{flat[0][at]:.2f}", "effect": _signed(flat[2][at])}
        lines.append(words(f"intervene_ranks.{key}", **texts))
    with text, st.container(gap="xxsmall"):
        for line in lines:
            show.text(line)
    figure = intervention_charts.ranks_chart(
        flat[0].tolist(),
        flat[1].tolist(),
        [titles[kind] for kind, _, _ in heads],
        [head_name(*head) for head in heads],
        section("intervene_map"),
        {titles[kind]: PARTS[kind] for kind in kinds},
    )
    rows = [
        {
            "part": f"{kind}.{layer}.{head}",
            "kind": kind,
            "layer": layer,
            "head": head,
            "attention": float(flat[0][i]),
            "effect": float(flat[2][i]),
        }
        for i, (kind, layer, head) in enumerate(heads)
    ]
    with chart:
        show.figure("ranks_chart", figure.with_rows(lambda: rows))
    page.formula("rank_correlation")
    query = address.offer("circuits") | {"show": "averages"}
    show.text(words("intervene_ranks.one_word"))
    st.page_link(address.script_of("circuits"), label=words("intervene_ranks.averages"), query_params=query)


def _correlation(title: str, rho: float, count: int) -> str:
    if np.isnan(rho):
        return words("intervene_ranks.none", kind=title, count=count)
    return words("intervene_ranks.line", kind=title, rho=_signed(rho), count=count)


def _signed(value: float) -> str:
    if abs(value) >= TINY or not value:
        return signed(value, 3)
    return f"{'+' if value > 0 else ''}{power_of_ten(value, 2)}"


def patching(state: EditState) -> None:
    """Where a changed word's trace must be carried over to change what is written."""
    other = _other(state)
    try:
        [different] = activation_patching.check_pair(models.checkpoint(state.entry), state.current_run.sentence, other)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return
    step = output_words.step(state)
    row = output_words.steps(state).first + step
    side = "decoder" if state.entry.config.architecture == "decoder" else "encoder"
    depths = ["input", *map(str, range(state.entry.config.layers(side)))]
    tokens = list(source_tokens(state))
    batches = _batches(state, depths, len(tokens))
    results = progress.computed(
        _mark("patching", state),
        [(batch,) for batch in batches],
        lambda batch: patched(state.entry, state.current_run.sentence, other, batch),
    )
    if results is None:
        return
    changes = np.concatenate([results[(batch,)] for batch in batches])[..., row]  # (layers, S)
    names = [words("intervene_change.input"), *(words("attention_figure.layer", layer=n) for n in depths[1:])]
    read = translate.encode(models.checkpoint(state.entry), other)
    donor = models.tokenizer(state.entry).tokens(read, begins=True)
    tokens[different] = f"{tokens[different]} ⇐ {donor[different]}"
    matrix = interventions.patch_matrix(changes, names, tokens, section("intervene_map"))
    figure = matrices("map_patched", [matrix], cell=44)
    at = np.unravel_index(int(np.abs(changes).argmax()), changes.shape)
    most = {"depth": names[int(at[0])], "token": tokens[int(at[1])], "effect": _signed(changes[at])}
    show.text(words("intervene_ranks.patched", **most))
    export.files("patching", figure)


def _other(state: EditState) -> str:
    """The sentence to carry over from; where the form above has a field for it, what stands there."""
    label, default = words("intervene_form.other"), other_sentence(state)
    if "other" not in script_run.current().drawn:
        return controls.text("other", label, default, SENTENCE)
    text = view.setting("other")
    other = default if text is None else text[:SENTENCE]
    show.text(f"{label}: {other}")
    return other


@models.cached(beside="always")
def head_effects(entry: catalogue.Entry, sentence: str, layers: Sequence[edit_effects.Layer]) -> np.ndarray:
    """Effect of the loss of each head of some layers on each token, (len(layers), H, T)."""
    return edit_effects.effects_of_heads(models.checkpoint(entry), models.run(entry, sentence), layers)


@models.cached(beside="always")
def patched(entry: catalogue.Entry, sentence: str, other: str, depths: Sequence[str]) -> np.ndarray:
    """Effect on each token of carrying one token's activation over at some depths, (len(depths), S, T)."""
    run, donor = models.run(entry, sentence), _read(entry, other)
    return activation_patching.patched_at(models.checkpoint(entry), run, donor, depths)


@models.cached
def _read(entry: catalogue.Entry, sentence: str) -> Mapping[str, np.ndarray]:
    return activation_patching.read(models.checkpoint(entry), sentence)
