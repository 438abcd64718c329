"""The test of the terms: parts replaced by their mean in a real run, for this cell and, as measured, over sentences."""

from __future__ import annotations

import numpy as np

from model.attribution.score_terms import replacement, stream_parts, terms
from model.checkpoint import catalogue
from model.circuits import card_sentences
from model.measurements import score_sources
from model.trace import AttentionKind
from pages.attention.score_parts import part_title, row_of
from pages.attention.stages import Head
from pages.shared.layout import progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import sentences, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.html.plain_table import table_html
from viz.numbers import percent

TESTED = 3  # parts of each side that are replaced


def replaced_parts(current_run: CurrentRun, head: Head, row: terms.ScoreRow, query: int, key: int) -> None:
    """The parts that matter most, each replaced by its mean in a run of the model: predicted and measured."""
    if not controls.toggle("tested", words("attention_there.tested")):
        return
    entry, place = current_run.entry, head.place
    texts = readable(entry)
    runs = progress.computed(f"why there {entry.name} {entry.fingerprint}", [(text,) for text in texts],
                             lambda text: models.run(entry, text))  # fmt: skip
    if runs is None:
        return
    parts = [
        (part, is_query, query if is_query else key) for part, is_query in replacement.replaceable(row, key, TESTED)
    ]
    lines = []
    for part, is_query, token in parts:
        result = _replaced(entry, current_run.sentence, (place.kind, place.layer, place.head), query, part, token)
        of = words(f"attention_there.of_{'query' if is_query else 'key'}", part=part_title(part))
        lines.append(
            [of, *(percent(float(each[key]), 1) for each in (result.actual, result.predicted, result.measured))]
        )
    heads = [words(f"attention_there.{name}") for name in ("part", "as_is", "predicted", "measured")]
    show.table(table_html(heads, lines))
    show.caption(words("attention_there.test_about", count=len(texts)))
    saved = score_sources.MEASUREMENT.saved(entry)
    if saved is None or replacement.ALL not in saved.test:
        missing = words("attention_there.not_measured"), words("attention_there.not_measured_own")
        folder_command.say(entry, missing[0], score_sources.MEASUREMENT.saving(entry.name), missing[1])
        return
    cells, whole = saved.test[replacement.ALL]
    each = [
        f"{words(f'attention_there_name.{name}')} {rho:.2f}"
        for name, (_, rho) in saved.test.items()
        if name != replacement.ALL and np.isfinite(rho)
    ]
    parts_named = words("attention_there.comma").join(each)
    show.caption(words("attention_there.agreement", cells=cells, value=f"{whole:.2f}", parts=parts_named))
    _agreement_by_head(current_run, place, saved.test_heads)
    folder_command.repeat(entry, score_sources.MEASUREMENT.name)


def _agreement_by_head(current_run: CurrentRun, place: PickedHead, found: replacement.Agreement) -> None:
    """The same for the head in view, and of all heads, so that the page says for which no prediction is reliable."""
    own = found.get(f"{place.kind}.{place.layer}.{place.head}")
    if own is None:
        return
    (cells, rho), goal = own, score_sources.AGREES
    verdict = words(f"attention_there.agreement_{'holds' if rho >= goal else 'fails'}", goal=goal)
    show.text(sentences(words("attention_there.agreement_head", cells=cells, value=f"{rho:.2f}"), verdict))
    values: dict[str, np.ndarray] = {}
    for name, (_, each) in found.items():
        kind, layer, number = name.split(".")
        shape = current_run.trace.weights(kind).shape[:2]  # type: ignore[arg-type]
        values.setdefault(kind, np.full(shape, np.nan))[int(layer), int(number)] = each
    pictures = [
        Matrix(
            kind,
            words(f"attention_figure.wall_{kind}"),
            table,
            tuple(map(str, range(len(table)))),
            tuple(map(str, range(table.shape[1]))),
            row_axis=words("attention_chart.layers"),
            column_axis=words("attention_chart.heads"),
            limit=1.0,
            decimals=2,
        )
        for kind, table in values.items()
    ]

    def choose(at: Selection) -> None:
        view.choose(attention_kind=at.key, layer=at.row, head=at.column)

    matrices("there_agreement", pictures, selection=Selection(place.kind, place.layer, place.head), on_select=choose,
             files="why-there-agreement", end="_there_agreement")  # fmt: skip
    reached = sum(each >= goal for _, each in found.values())
    each = round(np.mean([count for count, _ in found.values()]))
    show.caption(words("attention_there.agreement_heads", count=len(found), reached=reached, goal=goal, each=each))


@models.cached
def readable(entry: catalogue.Entry) -> tuple[str, ...]:
    """The sentences over which means are taken."""
    return tuple(card_sentences.readable(entry, models.checkpoint(entry)))


@models.cached(beside="always")
def _replaced(
    entry: catalogue.Entry,
    sentence: str,
    head: tuple[AttentionKind, int, int],
    query: int,
    part: stream_parts.Place,
    token: int,
) -> replacement.Replaced:
    model, run = models.checkpoint(entry).model, models.run(entry, sentence)
    mean = replacement.means([models.run(entry, text).trace for text in readable(entry)], part.value)
    return replacement.replaced(model, run, head, row_of(entry, sentence, *head, query), query, part, token, mean)
