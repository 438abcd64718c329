"""Why the head looks there: the score of one cell as parts of the query times parts of the key, and the test of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from model.attribution.score_terms import replacement, stream_parts, terms
from model.checkpoint import catalogue
from model.circuits import card_sentences
from model.measurements import score_sources
from model.tokenization.token_text import is_special
from model.trace import AttentionKind
from pages.attention.arithmetic import chosen_cell
from pages.attention.stages import Head, chosen_head, waits
from pages.shared.layout import progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.notices import plain
from pages.shared.text.words import sentences, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.html.plain_table import table_html
from viz.numbers import percent, signed

LARGEST = 3  # terms in a sentence
TESTED = 3  # parts of each side that are replaced


@dataclass(frozen=True)
class Entry:
    """A row or a column of the table: parts of one group, or a single part; `group` opens it, if it has several."""

    name: str
    title: str
    parts: tuple[int, ...]
    group: str = ""


def why_there(current_run: CurrentRun, picked: PickedHead) -> None:
    """The terms of the cell, the largest in a sentence, the row without one, and parts replaced in a real run."""
    if waits(current_run):
        return
    head = chosen_head(current_run, picked)
    query, key = _cell(head)
    place = (picked.kind, picked.layer, picked.head)
    row = _row(current_run.entry, current_run.sentence, *place, query)
    if not row.allowed[key]:
        show.text(words("attention_there.hidden"))
        return
    if row.allowed.sum() == 1:
        show.text(words("attention_there.single"))
        return
    centred = not controls.toggle("raw", words("attention_there.raw"), help=words("attention_there.raw_about"))
    rows, columns = _entries("open_queries", row.queries), _entries("open_keys", row.keys)
    table = _summed(row.table(key, centred=centred), rows, columns)
    term = _chosen_term(rows, columns, table)
    _table(head, row, key, centred, (rows, columns), table, term)
    show.text(_says(head, row, query, key, rows, columns, table, centred))
    show.text(_sides(row, key, centred))
    _written_by(row.queries, rows[term[0]], row.keys, columns[term[1]])
    _weights(head, row, query, rows[term[0]], columns[term[1]])
    _test(current_run, head, row, query, key)
    typed = f"{'-- ' if current_run.sentence.startswith('-') else ''}{shlex.quote(current_run.sentence)}"
    options = f" --head {'.'.join(map(str, place))} --query {query} --key {key} {typed}"
    folder_command.repeat(current_run.entry, "why-there", options)


@models.cached
def _row(
    entry: catalogue.Entry, sentence: str, kind: AttentionKind, layer: int, head: int, query: int
) -> terms.ScoreRow:
    values = models.run(entry, sentence).trace.values
    return terms.score_row(models.checkpoint(entry).model, values, kind, layer, head, query)


def _cell(head: Head) -> tuple[int, int]:
    """The cell that is pinned in the large map, else the one that is chosen here; at first the largest weight."""
    kind, *pin = (view.setting(view.PIN) or "").split(",")
    weights = np.asarray(head.values["weights"])
    if kind == head.place.kind and len(pin) == 2 and all(map(str.isdecimal, pin)):
        query, key = map(int, pin)
        if query < weights.shape[0] and key < weights.shape[1]:
            tokens = {"row": plain(head.labels.queries[query]), "column": plain(head.labels.keys[key])}
            show.caption(words("attention_there.pinned", query_id=query, key_id=key, **tokens))
            return query, key
    return chosen_cell(head, _first(head, weights))


def _first(head: Head, weights: np.ndarray) -> tuple[int, int]:
    """The largest weight between tokens that stand for text, of a row that sees several keys, where there is one."""
    several = np.asarray(head.values["allowed"]).sum(axis=1) > 1
    queries, keys = (
        ~np.array([is_special(token) for token in each]) for each in (head.labels.queries, head.labels.keys)
    )
    for of_row, of_key in ((several & queries, keys), (several, keys), (several, np.ones_like(keys))):
        allowed = of_row[:, None] & of_key
        if allowed.any():
            break
    query, key = np.unravel_index(int(np.where(allowed, weights, -1).argmax()), weights.shape)
    return int(query), int(key)


def _entries(setting: str, places: Sequence[stream_parts.Place]) -> list[Entry]:
    """What stands at one side of the table, and the control that opens its layers."""
    groups = terms.groups(places)
    titles = {name: _group_title(name) for name, parts in groups.items() if len(parts) > 1}
    opened = controls.several(setting, words(f"attention_there.{setting}"), titles, ()) if titles else []
    result = []
    for name, parts in groups.items():
        if name in titles and name not in opened:
            result.append(Entry(name, titles[name], tuple(parts), name))
        else:
            result += [Entry(places[at].recorded, part_title(places[at]), (at,)) for at in parts]
    return result


def _group_title(name: str) -> str:
    if name.isdecimal():
        return words("attention_there_part.layer", layer=name)
    return words(f"attention_there_part.{name}")


def part_title(place: stream_parts.Place) -> str:
    """A part as the figures name it."""
    numbers = {name: number for name, number in (("layer", place.layer), ("head", place.head)) if number is not None}
    return words(f"attention_there_part.{place.name}", **numbers)


def _summed(table: np.ndarray, rows: Sequence[Entry], columns: Sequence[Entry]) -> np.ndarray:
    return np.array([[table[np.ix_(row.parts, column.parts)].sum() for column in columns] for row in rows])


def _chosen_term(rows: Sequence[Entry], columns: Sequence[Entry], table: np.ndarray) -> tuple[int, int]:
    """The row and column of the term that is chosen in the table; at first the largest."""
    names = [f"{row.name},{column.name}" for row in rows for column in columns]
    first = names[int(np.abs(table).argmax())]
    at = names.index(controls.named("term", words("attention_there.term"), names, first))
    return divmod(at, len(columns))


def _table(
    head: Head,
    row: terms.ScoreRow,
    key: int,
    centred: bool,
    entries: tuple[Sequence[Entry], Sequence[Entry]],
    table: np.ndarray,
    term: tuple[int, int],
) -> None:
    rows, columns = entries

    def clicked(at: Selection) -> None:
        """A layer is opened; a single term is chosen."""
        of_query, of_key = rows[at.row], columns[at.column]
        if of_query.group or of_key.group:
            for setting, entry in (("open_queries", of_query), ("open_keys", of_key)):
                if entry.group:
                    before = [name for name in (view.setting(setting) or "").split(",") if name]
                    view.choose(**{setting: [*before, entry.group]})
        else:
            view.choose(term=f"{of_query.name},{of_key.name}")

    def numbers() -> list[dict[str, object]]:
        raw, less_mean = (row.table(key, centred=each) for each in (False, True))
        return [
            {"query_part": of_query.recorded, "key_part": of_key.recorded,
             "term": float(raw[p, r]), "centred": float(less_mean[p, r])}
            for p, of_query in enumerate(row.queries) for r, of_key in enumerate(row.keys)
        ]  # fmt: skip

    matrix = Matrix(
        "terms",
        words(f"attention_there.{'centred' if centred else 'raw'}_title"),
        table,
        tuple(entry.title for entry in rows),
        tuple(entry.title for entry in columns),
        row_axis=words("attention_there.rows"),
        column_axis=words("attention_there.columns"),
        decimals=2,
    )
    place = head.place
    matrices("there", [matrix], selection=Selection("terms", *term), on_select=clicked, end="_there", rows=numbers,
             files=f"why-there-{place.kind}-layer{place.layer}-head{place.head}-key{key}")  # fmt: skip


def _says(
    head: Head,
    row: terms.ScoreRow,
    query: int,
    key: int,
    rows: Sequence[Entry],
    columns: Sequence[Entry],
    table: np.ndarray,
    centred: bool,
) -> str:
    """The weight, and the largest terms of the table."""
    order = np.argsort(-np.abs(table), axis=None, kind="stable")[:LARGEST]
    places = [divmod(int(at), len(columns)) for at in order]
    named = [
        words("attention_there.term_value", of_query=rows[p].title, of_key=columns[r].title, value=signed(table[p, r]))
        for p, r in places
    ]
    tokens = {"row": head.labels.queries[query], "column": head.labels.keys[key]}
    return words(
        f"attention_there.says_{'centred' if centred else 'raw'}",
        **tokens,
        weight=percent(float(row.weights[key]), 1),
        score=signed(row.score(key, centred=centred)),
        terms=words("attention_there.comma").join(named),
    )


def _sides(row: terms.ScoreRow, key: int, centred: bool) -> str:
    """What both tokens give together, and each of them whatever the other is."""
    values = row.sides(key, centred=centred)
    names = {"both": "both", "of_key": "key", "of_query": "query", "neither": "neither"}
    text = words("attention_there.sides", **{blank: signed(values[name]) for blank, name in names.items()})
    position = words("attention_there.position", value=signed(values["position"])) if row.bias is not None else ""
    return sentences(text, position)


def _written_by(
    queries: Sequence[stream_parts.Place], of_query: Entry, keys: Sequence[stream_parts.Place], of_key: Entry
) -> None:
    """A button to each head that wrote a part of the chosen term; its own look is then explained."""
    with st.container(horizontal=True, key="there_heads"):
        for side, places, entry in (("query", queries, of_query), ("key", keys, of_key)):
            place = places[entry.parts[0]]
            if place.head is None or entry.group:
                continue
            st.button(
                words(f"attention_there.open_{side}", head=part_title(place)),
                key=f"there_head_{side}",
                on_click=partial(view.choose, attention_kind=place.kind, layer=place.layer, head=place.head,
                                 query=None, key=None, term=None, pin=None),
            )  # fmt: skip


def _weights(head: Head, row: terms.ScoreRow, query: int, of_query: Entry, of_key: Entry) -> None:
    """The weights of the row, and as the softmax would give them without the chosen term."""
    title = f"{of_query.title} × {of_key.title}"
    lines = {words("attention_there.as_is"): row.weights}
    if controls.toggle("without", words("attention_there.without", term=plain(title))):
        lines[words("attention_there.without_row")] = row.without(of_query.parts, of_key.parts)
    matrix = Matrix(
        "weights",
        words("attention_there.row_title", row=head.labels.queries[query]),
        np.stack(list(lines.values())),
        tuple(lines),
        tuple(head.labels.keys),
        column_axis=words("attention_there.keys"),
        scale="weight",
        colour=head.place.kind,
    )
    matrices("there_row", [matrix], selection=None)


def _test(current_run: CurrentRun, head: Head, row: terms.ScoreRow, query: int, key: int) -> None:
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
    recorded = score_sources.MEASUREMENT.recorded(entry)
    if recorded is None or replacement.ALL not in recorded.test:
        return
    cells, whole = recorded.test[replacement.ALL]
    each = [
        f"{words(f'attention_there_name.{name}')} {rho:.2f}"
        for name, (_, rho) in recorded.test.items()
        if name != replacement.ALL and np.isfinite(rho)
    ]
    parts_named = words("attention_there.comma").join(each)
    show.caption(words("attention_there.agreement", cells=cells, value=f"{whole:.2f}", parts=parts_named))


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
    return replacement.replaced(model, run, head, _row(entry, sentence, *head, query), query, part, token, mean)
