"""Inside one step of a decoding: what it looks at, what it takes from the cache, and how its word comes about."""

from __future__ import annotations

import numpy as np

from model.analysis import logit_lens
from model.attribution import norm_based_attention
from model.checkpoint import catalogue
from model.decode import cache_cost, forced_tokens, token_sampling
from model.trace import AttentionKind
from pages.decoding import output_list
from pages.decoding.output_list import Decoding
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text import depth
from pages.shared.text.numbers import number
from pages.shared.text.words import section, words
from pages.shared.ui import head_picker, show
from pages.shared.ui.matrices import matrices
from pages.shared.ui.switches import value_switch
from viz.charts import decoding_charts
from viz.charts.layers import logit_lens_charts
from viz.charts.layers.logit_lens_charts import Candidate
from viz.components.matrix.matrix_data import matrix_rows
from viz.data import Matrix, Selection
from viz.figures.chart import Chart
from viz.html.outputs import cache_html
from viz.html.plain_table import table_html
from viz.numbers import percent

SHOWN = 5  # candidates at each place of the depth, and rows of the softmax


# attention


def attention(decoding: Decoding) -> None:
    """Draw the attention of every head of the chosen layer in this step, and their means."""
    picked = head_picker.pick_head(decoding.current_run, candidates=("cross",))
    kinds: list[AttentionKind] = ["cross", "decoder"]
    kinds = [kind for kind in kinds if kind in decoding.trace.kinds]
    norms = (
        _norms(decoding.entry, decoding.current_run.sentence, decoding.branch.run.ids) if value_switch.is_on() else {}
    )
    figures = [_heads(decoding, kind, picked.layer, norms.get(kind)) for kind in kinds]
    cell_in_view = _locked(figures, picked.head) or Selection(
        figures[0].key, picked.head, int(figures[0].values[picked.head].argmax())
    )
    heads = decoding.entry.config.heads
    figure = matrices(
        "step_attention", figures, selection=cell_in_view, cell=34, on_select=lambda cell: _lock(cell, heads),
        rows=lambda: [{"attention": matrix.key, **row} for matrix in figures for row in matrix_rows(matrix)],
    )  # fmt: skip
    value_switch.files_below(decoding.current_run, "step_attention", figure, hint=words("hint.cause"))
    if norms:
        show.text(_falling(decoding, kinds, picked.layer, norms))
        value_switch.formula()


def _lock(cell: Selection, heads: int) -> None:
    """Keep the cell in the link, and its head with it; the rows below the heads are means."""
    view.choose(cell=cell, **({"head": cell.row} if cell.row < heads else {}))


def _locked(figures: list[Matrix], head: int) -> Selection | None:
    """The cell that the link names, `cross,1,3`; none where this step, layer or head has no such cell."""
    name, *place = (view.setting("cell") or "").split(",")
    matrix = next((matrix for matrix in figures if matrix.key == name), None)
    if matrix is None or len(place) != 2 or not all(part.isdecimal() and len(part) < 6 for part in place):
        return None
    row, column = map(int, place)
    heads = len(matrix.rows) - 2
    there = row < len(matrix.rows) and column < len(matrix.columns) and (row == head or row >= heads)
    return Selection(name, row, column) if there else None


def _falling(decoding: Decoding, kinds: list[AttentionKind], layer: int, norms: value_switch.Shares) -> str:
    weights = {kind: decoding.trace.weights(kind) for kind in kinds}
    before, after = ({kind: _of_step(decoding, kind, each[kind])[layer] for kind in kinds} for each in (weights, norms))
    return value_switch.falling_in_step(before, after, {kind: _keys(decoding, kind) for kind in kinds})


@models.cached
def _norms(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> value_switch.Shares:
    return norm_based_attention.of_every_kind(models.checkpoint(entry).model, output_list.trace(entry, sentence, ids))


def _keys(decoding: Decoding, kind: AttentionKind) -> tuple[str, ...]:
    return tuple(decoding.read if kind == "decoder" else decoding.trace.source_tokens)


def _of_step(decoding: Decoding, kind: AttentionKind, values: np.ndarray) -> np.ndarray:
    """The row of this step, without what comes later, which is masked: (L, H, K)."""
    return values[:, :, decoding.row, : len(_keys(decoding, kind))]


def _heads(decoding: Decoding, kind: AttentionKind, layer: int, norms: np.ndarray | None) -> Matrix:
    """A row per head, then the mean of this layer's heads, then the mean of all; of norms, where they are given."""
    weights = _of_step(decoding, kind, decoding.trace.weights(kind) if norms is None else norms)
    title = words(f"decoding_attention.{kind}", layer=layer)
    rows = np.vstack([weights[layer], weights[layer].mean(0), weights.mean((0, 1))])  # (H + 2, K)
    names = [words("decoding_attention.head", head=head) for head in range(weights.shape[1])]
    means = [words("decoding_attention.mean_layer"), words("decoding_attention.mean_all")]
    return Matrix(
        kind,
        title if norms is None else words("norms.title", title=title),
        rows,
        (*names, *means),
        _keys(decoding, kind),
        row_axis=words("decoding_attention.rows"),
        column_axis=words(f"decoding_attention.columns_{kind}"),
        scale="weight",
        colour=kind,
        note=words(
            f"decoding_attention.note_{kind}", word=decoding.branch.tokens[decoding.step], read=decoding.read[-1]
        ),
    )


# cache


def cache(decoding: Decoding) -> None:
    """Draw what the cache keeps and computes in this step, and how many multiplications that saves."""
    config, start, step = models.checkpoint(decoding.entry).model.config, decoding.start, decoding.step
    new = len(start.prompt) if not step else 1
    read = decoding.read
    texts = section("decoding_cache")
    show.table(cache_html(read[:-new], read[-new:], decoding.current_run.trace.source_tokens, texts, first=not step))
    numbers = cache_cost.cached_numbers(config, start, step)
    show.text(
        words(
            "decoding_cache.memory",
            numbers=f"{numbers:,}",
            size=f"{numbers * 4 / 1000:,.0f}",
            layers=config.decoder_layers,
        )
    )
    with_cache, anew = cache_cost.step_work(config, start, step)
    heads = [texts[name] for name in ("part", "with", "without", "saved")]
    parts = ["projections", "attention", "cross", "feed_forward", "logits", "total"]
    rows = [
        _work_row(texts["cross_work" if name == "cross" else name], getattr(with_cache, name), getattr(anew, name))
        for name in parts
        if name != "cross" or start.source
    ]
    show.table(table_html(heads, rows, chosen=len(rows) - 1))
    show.caption(words("decoding_cache.counted"))
    _work_chart(decoding)
    page.formula("work_with_source" if start.source else "work")
    show.text(_inserted(decoding, new))


def _work_row(name: str, with_cache: int, anew: int) -> list[str]:
    return [name, f"{with_cache:,}", f"{anew:,}", percent(1 - with_cache / anew, 1) if anew else "–"]


def _inserted(decoding: Decoding, new: int) -> str:
    """The formula with this step's numbers, m being the new tokens."""
    config, start = decoding.entry.config, decoding.start
    d, read, source = config.d_model, len(start.prompt) + decoding.step, len(start.source)
    terms = [f"4·{new}·{d}²", f"2·{new}·{read}·{d}"]
    if source:
        terms += [f"2·{new}·{d}²", f"2·{new}·{source}·{d}", f"2·{0 if decoding.step else source}·{d}²"]
    terms.append(f"2·{new}·{d}·{config.d_ff}")
    last = f"{new}·{d}·{config.target_vocabulary}"

    total = cache_cost.step_work(models.checkpoint(decoding.entry).model.config, start, decoding.step)[0].total
    return words(
        "decoding_cache.inserted",
        sum=f"{config.decoder_layers} · ({' + '.join(terms)}) + {last}",
        total=f"{total:,}",
    )


def _work_chart(decoding: Decoding) -> None:
    config = models.checkpoint(decoding.entry).model.config
    pairs = [cache_cost.step_work(config, decoding.start, step) for step in range(len(decoding.branch.run.ids))]
    with_cache, anew = (tuple(pair[i].total for pair in pairs) for i in (0, 1))
    names = tuple(f"{step}  {token}" for step, token in enumerate(decoding.branch.tokens))
    so_far = [sum(counts[: decoding.step + 1]) for counts in (with_cache, anew)]
    show.text(
        words(
            "decoding_cache.so_far",
            cached=f"{so_far[0]:,}",
            anew=f"{so_far[1]:,}",
            times=f"{so_far[1] / so_far[0]:.1f}",
        )
    )
    show.figure("work", _work_chart_of(names, with_cache, anew, decoding.step, view.language()))


@models.cached
def _work_chart_of(
    names: tuple[str, ...], with_cache: tuple[int, ...], anew: tuple[int, ...], step: int, language: str
) -> Chart:
    return decoding_charts.work_chart(names, with_cache, anew, step, section("decoding_chart"))


# inside


def inside(decoding: Decoding) -> None:
    """The stream after each sublayer, read early; then logits, softmax and the choice."""
    early = _early(decoding.entry, decoding.current_run.sentence, decoding.branch.forcing, decoding.sampling)
    row = decoding.row
    tokens = models.tokenizer(decoding.entry).tokens
    names = tuple(depth.title(at) for at in early.depths)
    candidates = tuple(
        tuple(
            Candidate(int(id_), word, k + 1, int(before), float(share))
            for k, (id_, word, before, share) in enumerate(zip(ids, tokens(ids.tolist()), befores, shares, strict=True))
        )
        for ids, befores, shares in zip(
            early.top[:, row], early.top_before[:, row], early.top_probabilities[:, row], strict=True
        )
    )
    show.figure("inside", _inside_chart(names, candidates, int(early.final[row, 0]), view.language()))
    show.subheader(words("decoding_inside.end"))
    show.caption(words("decoding_inside.end_hint", count=decoding.entry.config.target_vocabulary))
    _softmax(decoding)
    page.formula("softmax")


@models.cached
def _early(
    entry: catalogue.Entry, sentence: str, forcing: forced_tokens.Forced, sampling: token_sampling.Sampling | None
) -> logit_lens.LogitLens:
    ids = output_list.run(entry, sentence, forcing, sampling).run.ids
    values = output_list.trace(entry, sentence, ids).values
    return logit_lens.early(models.checkpoint(entry).model, values, "decoder", every_sublayer=True, count=SHOWN)


@models.cached
def _inside_chart(
    names: tuple[str, ...], candidates: tuple[tuple[Candidate, ...], ...], final: int, language: str
) -> Chart:
    return logit_lens_charts.candidates_chart(names, candidates, final, section("early_chart"))


def _softmax(decoding: Decoding) -> None:
    """The largest logits, each with its power of e and its share; e to a difference, as a computer takes it."""
    logits = decoding.trace.values["logits"][decoding.row].astype(np.float64)  # (V)
    powers = np.exp(logits - logits.max())
    order = np.argsort(-logits, kind="stable")[:SHOWN].tolist()
    token = decoding.branch.run.ids[decoding.step]
    if token not in order:
        order.append(token)
    names = models.tokenizer(decoding.entry).tokens(order)
    marks = ["✓" if id_ == token else "" for id_ in order]
    rows = [
        [f"{name} {mark}", number(logits[id_]), number(powers[id_]), percent(powers[id_] / powers.sum(), 2)]
        for id_, name, mark in zip(order, names, marks, strict=True)
    ]
    show.table(
        table_html(
            [words(f"decoding_inside.{name}") for name in ("token", "logit", "power", "probability")],
            rows,
            chosen=order.index(token),
        )
    )
    show.text(words("decoding_inside.sum", sum=number(powers.sum(), 6)))
    how = "chosen"
    if decoding.is_given and decoding.step not in decoding.branch.forced:
        how = "given"
    elif token != order[0]:
        how = "forced" if decoding.step in decoding.branch.forced else "drawn"
    show.text(words(f"decoding_inside.{how}", word=decoding.branch.tokens[decoding.step]))
