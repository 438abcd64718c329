"""Why the head looks there: the score of one cell as parts of the query times parts of the key, and the test of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.attribution.score_terms import replacement, terms
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.features import dictionary, key_parts, store
from model.tokenization.token_text import is_special
from model.trace import AttentionKind
from pages.attention.arithmetic import chosen_cell
from pages.attention.replaced_parts import replaced_parts
from pages.attention.score_parts import Entry, entries, row_of, summed
from pages.attention.stages import Head, chosen_head, waits
from pages.attention.written_at import written_at
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.notices import plain
from pages.shared.text.words import refusal, sentences, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.numbers import percent, power_of_ten, signed

LARGEST = 3  # terms in a sentence


def why_there(current_run: CurrentRun, picked: PickedHead) -> None:
    """The terms of the cell, the largest in a sentence, the row without one, and parts replaced in a real run."""
    if waits(current_run):
        return
    head = chosen_head(current_run, picked)
    query, key = _cell(head)
    place = (picked.kind, picked.layer, picked.head)
    row = row_of(current_run.entry, current_run.sentence, *place, query)
    if not row.allowed[key]:
        show.text(words("attention_there.hidden"))
        return
    if row.allowed.sum() == 1:
        show.text(words("attention_there.single"))
        return
    whole = row
    row = _with_features(current_run, head, row, key)
    centred = not controls.toggle("raw", words("attention_there.raw"), help=words("attention_there.raw_about"))
    rows, columns = entries("open_queries", row.queries), entries("open_keys", row.keys)
    table = summed(row.table(key, centred=centred), rows, columns)
    term = _chosen_term(rows, columns, table)
    _table(head, row, key, centred, (rows, columns), table, term)
    show.text(_says(head, row, query, key, rows, columns, table, centred))
    show.text(_sides(row, key, centred))
    of_query, of_key = rows[term[0]], columns[term[1]]
    with st.container(horizontal=True, key="there_heads"):
        written_at("query", row.queries, of_query, query)
        written_at("key", row.keys, of_key, key)
    _weights(current_run, head, row, query, of_query, of_key)
    replaced_parts(current_run, head, whole, query, key)
    typed = f"{'-- ' if current_run.sentence.startswith('-') else ''}{shlex.quote(current_run.sentence)}"
    options = f" --head {'.'.join(map(str, place))} --query {query} --key {key}{' --features' * (row is not whole)}"
    folder_command.repeat(current_run.entry, "why-there", f"{options} {typed}")


def _with_features(current_run: CurrentRun, head: Head, row: terms.ScoreRow, key: int) -> terms.ScoreRow:
    """The row with features of the encoder as parts of its keys, where the user asks for them."""
    is_asked = head.place.kind == "cross" and controls.toggle(
        "by_feature", words("attention_there.by_feature"), help=words("attention_there.by_feature_about")
    )
    if not is_asked:
        return row
    entry, site = current_run.entry, key_parts.SITE
    if isinstance(entry, catalogue.Untrained) or site not in store.stored_sites(entry):
        show.text(words("attention_there.no_dictionary"))
        return row
    try:
        found = _dictionary(entry, site, store.fingerprint(entry, site))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return row
    model, trace = models.checkpoint(entry).model, models.run(entry, current_run.sentence).trace
    place = (head.place.kind, head.place.layer, head.place.head)
    return key_parts.in_features(model, trace, place, row, key, found)


@models.cached
def _dictionary(entry: catalogue.Entry, site: str, mark: str) -> dictionary.Dictionary:
    """A stored dictionary; `mark` changes with its files."""
    return store.load(entry, site).dictionary


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
        words(f"score_terms.{'centred' if centred else 'raw'}_title"),
        table,
        tuple(entry.title for entry in rows),
        tuple(entry.title for entry in columns),
        row_axis=words("score_terms.rows"),
        column_axis=words("score_terms.columns"),
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


def _weights(
    current_run: CurrentRun, head: Head, row: terms.ScoreRow, query: int, of_query: Entry, of_key: Entry
) -> None:
    """The weights of the row, and without the chosen term: as the softmax would give them, and as the model does."""
    title = f"{of_query.title} × {of_key.title}"
    lines, apart = {words("attention_there.as_is"): row.weights}, None
    if controls.toggle("without", words("attention_there.without", term=plain(title))):
        predicted, term = row.without(of_query.parts, of_key.parts), row.term(of_query.parts, of_key.parts)
        place = (head.place.kind, head.place.layer, head.place.head)
        computed = _computed(current_run.entry, current_run.sentence, place, query, tuple(term.tolist()))
        lines |= {words("attention_there.predicted"): predicted, words("attention_there.computed"): computed}
        apart = float(np.abs(predicted - computed).max())
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
    if apart is not None:
        show.caption(words("attention_there.apart", apart=power_of_ten(apart)))


@models.cached
def _computed(
    entry: catalogue.Entry, sentence: str, head: tuple[AttentionKind, int, int], query: int, term: tuple[float, ...]
) -> np.ndarray:
    """The weights of a row in a run of the model whose scores lack a term."""
    return replacement.taken_out(models.checkpoint(entry).model, models.run(entry, sentence), head, query, term)
