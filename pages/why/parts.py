"""Which part of the model wrote the token: its logit as a sum of parts, and what a head read for its part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from model.attribution import attention_methods, logit_parts
from model.trace import AttentionKind
from pages.shared.layout import page
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, head_picker, show
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from pages.why import cached_answers, question_asked, sentence
from pages.why.paths import edge_attribution_patching, path_figures
from pages.why.question_asked import AskedQuestion
from viz.charts.effects import attribution_charts
from viz.data import Matrix, Selection
from viz.figures.figure import Numbers
from viz.numbers import signed

MOST = 24  # bars of heads; the smaller parts are summed up


def figures(subject: AskedQuestion) -> None:
    """The waterfall, the heads and what the one in view read, the paths, and how well edges can be estimated."""
    if not cached_answers.can_split(subject):
        with page.card("figure_parts", words("why.parts_title")):
            show.text(words("why.no_split_label" if subject.label_kind else "why.no_split"))
        return
    path_figures.figures(subject)
    page.flush()
    split = cached_answers.split(subject.key)
    with page.card("figure_parts", words("why.parts_title"), words("why.parts_about")):
        titles = {"sublayers": words("why.by_sublayer"), "heads": words("why.by_head")}
        bars = controls.choice("bars", words("why.bars"), titles, "sublayers", hidden=True)
        side = attention_methods.own_kind(subject.question)
        bars_of_parts = _by_sublayer(split, side) if bars == "sublayers" else _by_head(split, side)
        titles = {part.recorded(side): name_of(part) for part in [*split.parts, *map(_sublayer, split.parts)]}
        texts = section("why_parts")
        total = words("why.total" if subject.rather is None else "why.total_difference", token=subject.token,
                      other=subject.other)  # fmt: skip
        chart = attribution_charts.waterfall(bars_of_parts, total, texts, titles)
        show.figure("why-parts", chart, measured=sentence.ONE)
        show.text(_says(split, side))
        page.formula("direct_logit")
    page.flush()
    with page.card("figure_heads", words("why.heads_title"), words("why.heads_about")):
        _heads(subject, split)
    page.flush()
    edge_attribution_patching.figure(subject)


def name_of(part: logit_parts.Part) -> str:
    """A part as the figures name it."""
    if part.layer is None:
        return words(f"why_parts.{part.name}")
    name = words(f"why_parts.{part.name}", layer=part.layer)
    return name if part.head is None else words("why_parts.head", part=name, head=part.head)


def _sublayer(part: logit_parts.Part) -> logit_parts.Part:
    """The sublayer that a head belongs to; other parts are one by themselves."""
    return replace(part, head=None)


def _by_sublayer(split: logit_parts.Split, side: AttentionKind) -> list[tuple[str, float]]:
    """The heads of an attention summed up."""
    sums: dict[str, float] = {}
    for part in split.parts:
        name = _sublayer(part).recorded(side)
        sums[name] = sums.get(name, 0) + part.value
    return list(sums.items())


def _by_head(split: logit_parts.Split, side: AttentionKind) -> list[tuple[str, float]]:
    """Every part by itself, in the order of the pass; of very many, the largest and the sum of the others."""
    largest = sorted(split.parts, key=lambda part: -abs(part.value))[:MOST]
    if len(split.parts) <= MOST + 1:
        return [(part.recorded(side), part.value) for part in split.parts]
    bars = [(part.recorded(side), part.value) for part in split.parts if part in largest]
    rest = [part.value for part in split.parts if part not in largest]
    return [*bars, (words("why_parts.rest", count=len(rest)), sum(rest))]


def _says(split: logit_parts.Split, side: AttentionKind) -> str:
    """The largest part, the largest head, and how much heads and feed-forward give in all."""
    most = max(split.parts, key=lambda part: part.value)
    heads = sum(part.value for part in split.parts if part.head is not None)
    feed_forward = sum(part.value for part in split.parts if part.name == "feed_forward")
    return words(
        "why.parts_say",
        part=words("frame.part_named", name=name_of(most), part=most.recorded(side)),
        value=signed(most.value),
        heads=signed(heads),
        feed_forward=signed(feed_forward),
    )


def _heads(subject: AskedQuestion, split: logit_parts.Split) -> None:
    rows: dict[tuple[AttentionKind, int], list[float]] = {}
    own: AttentionKind = "decoder" if subject.question.target else "encoder"
    for part in split.parts:
        if part.head is not None and part.layer is not None:
            kind: AttentionKind = "cross" if part.name == "cross_attention" else own
            rows.setdefault((kind, part.layer), []).append(part.value)
    places = list(rows)
    in_view = head_picker.picked_head(subject.current_run, tuple(dict.fromkeys(kind for kind, _ in places)))
    if (in_view.kind, in_view.layer) not in rows:
        in_view = PickedHead(*places[0], 0)

    def choose(cell: Selection) -> None:
        kind, layer = places[cell.row]
        view.choose(attention_kind=kind, layer=layer, head=cell.column)

    matrix = Matrix(
        "heads",
        words("why.heads_matrix"),
        np.array(list(rows.values())),
        tuple(f"{kind}.{layer}" for kind, layer in places),
        tuple(str(head) for head in range(len(rows[places[0]]))),
        row_axis=words("why.layers"),
        column_axis=words("why.heads"),
        decimals=2,
    )
    with page.columns(2, 3) as (left, right):
        with left:
            at = Selection("heads", places.index((in_view.kind, in_view.layer)), in_view.head)
            table = [{"part": f"{kind}.{layer}.{head}", "value": value}
                     for (kind, layer), values in rows.items() for head, value in enumerate(values)]  # fmt: skip
            matrices("heads", [matrix], cell=44, share=0.4, selection=at, on_select=choose, files="logit-parts-heads",
                     rows=lambda: table, measured=sentence.ONE)  # fmt: skip
        with right:
            _read(subject, in_view, rows[in_view.kind, in_view.layer][in_view.head])
    question_asked.repeat(subject, "parts", in_view)


def _read(subject: AskedQuestion, picked: PickedHead, value: float) -> None:
    """Draw the attention of the head in view, and what it took from each word for the logit."""
    name = words(f"why_parts.{'cross_attention' if picked.kind == 'cross' else 'self_attention'}", layer=picked.layer)
    recorded = f"{picked.kind}.{picked.layer}.{picked.head}"
    head = words("frame.part_named", name=words("why_parts.head", part=name, head=picked.head), part=recorded)
    weights, shares = cached_answers.of_head(subject, picked), cached_answers.of_head_part(subject, picked)
    show.table(sentence.line(subject, words("why.head_looks", head=head), weights, sign=False))
    show.table(sentence.line(subject, words("why.head_takes", value=signed(value)), shares, sign=True))
    numbers = [{"part": recorded, "side": word.side, "word": word.text, "weight": float(weight), "takes": float(share)}
               for word, weight, share in zip(subject.inputs, weights, shares, strict=True)]  # fmt: skip
    export.files("why-head", Numbers(numbers), measured=sentence.ONE)
