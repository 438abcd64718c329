"""Which words look for which words: the largest scores between embeddings in the first layer, checked in sentences."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.analysis.residual_stream import Side
from model.attribution.score_terms import pairs_in_sentences, word_scores
from model.checkpoint import catalogue
from model.config import BIASES
from model.errors import InvalidInput
from model.features import sentences, word_table
from model.intervals import Estimate
from model.measurements import score_sources
from model.measurements.heads import word_pairs
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import controls, folder_command, head_picker, show
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Matrix, Selection
from viz.html.plain_table import table_html
from viz.numbers import percent, signed

LONGEST = 40  # characters of a word that is searched for
FARTHEST = 8  # tokens between two words, where positions rotate both
SIDE = 12  # words along each side of the matrix
CELL = 44  # px


def figures(current_run: CurrentRun) -> None:
    """The strongest pairs of a head, each checked, and those of a word."""
    entry = current_run.entry
    with page.card("figure_words", words("circuits.words_title"), words("circuits.words_about")):
        if isinstance(entry, catalogue.Untrained) or not sentences.has_corpus(entry):
            show.text(words("circuits.words_none"))
            return
        picked = head_picker.pick_head(current_run, ("encoder", "decoder"), first_layer=True)
        rotates = entry.config.position == "rotary" and 0 not in entry.config.unrotated
        apart = word_pairs.DISTANCE
        if rotates:
            apart = controls.steps("apart", words("circuits.words_apart"), range(FARTHEST + 1), apart)
        rare = controls.toggle("rare", words("circuits.words_rare"))
        with st.spinner(words("notice.running")):
            try:
                seen = _seen(entry, _side(picked))
            except InvalidInput:  # of a run whose settings are of another version
                show.text(words("circuits.words_none"))
                return
            pairs = _strongest(entry, _side(picked), picked.head, apart, rare) if len(seen.ids) else []
        if not pairs:
            show.text(words("circuits.words_few"))
            return
        _table_of_scores(entry, picked, apart, pairs)
        _pairs(pairs)
        show.text(_says(pairs))
        options = f" --head {picked.kind}.{picked.head}" + (" --all" if rare else "")
        options += f" --distance {apart}" if apart != word_pairs.DISTANCE else ""
        folder_command.repeat(entry, word_pairs.MEASUREMENT.name, options)
        _search(entry, picked, apart, rare, options)
        _measured(entry, seen, rotates)


def _side(picked: PickedHead) -> Side:
    return "encoder" if picked.kind == "encoder" else "decoder"


@models.cached(beside="always")
def _seen(entry: catalogue.Entry, side: Side) -> pairs_in_sentences.SeenWords:
    return word_table.seen(entry, models.checkpoint(entry), side)


@models.cached(beside="always")
def _scores(entry: catalogue.Entry, side: Side, apart: int) -> list[word_scores.WordScores]:
    seen = _seen(entry, side)
    return word_scores.word_scores(models.checkpoint(entry).model, side, seen.ids, seen.counts, apart)


@models.cached
def _together(entry: catalogue.Entry, side: Side) -> tuple[np.ndarray, np.ndarray]:
    is_causal = side == "decoder" or entry.config.causal_encoder
    return pairs_in_sentences.together(_seen(entry, side), is_causal=is_causal)


@models.cached
def _strongest(entry: catalogue.Entry, side: Side, head: int, apart: int, rare: bool) -> list[word_table.WordPair]:
    among = None if rare else _together(entry, side)
    scores, seen = _scores(entry, side, apart)[head], _seen(entry, side)
    return word_table.strongest(models.checkpoint(entry), side, head, scores, seen, among)


@models.cached
def _around(
    entry: catalogue.Entry, side: Side, head: int, apart: int, rare: bool, word: int
) -> tuple[list[word_table.WordPair], list[word_table.WordPair]]:
    scores, seen = _scores(entry, side, apart)[head], _seen(entry, side)
    among = None if rare else _together(entry, side)
    return word_table.around(models.checkpoint(entry), side, head, scores, seen, word, among)


def _table_of_scores(
    entry: catalogue.Entry, picked: PickedHead, apart: int, pairs: Sequence[word_table.WordPair]
) -> None:
    """The scores of the words of the strongest pairs with each other; a click searches for the query."""
    sides = [list(dict.fromkeys(pair.ids[at] for pair in pairs))[:SIDE] for at in (0, 1)]
    side, tokens = _side(picked), models.tokenizer(entry).tokens
    seen, scores = _seen(entry, side), _scores(entry, side, apart)[picked.head]
    queries, keys = (np.searchsorted(seen.ids, each) for each in sides)
    matrix = Matrix(
        "words",
        words("circuits.words_matrix"),
        scores.q[queries] @ scores.k[keys].T,
        tokens(sides[0]),
        tokens(sides[1]),
        row_axis=words("circuits.queries"),
        column_axis=words("circuits.keys"),
        decimals=1,
    )

    def search(at: Selection) -> None:
        view.choose(sought=matrix.rows[at.row])

    matrices("words", [matrix], cell=CELL, selection=None, on_select=search, files="word-pairs", end="_words",
             rows=lambda: [_numbers(pair) for pair in pairs], measured={"seed": word_table.SEED})  # fmt: skip


def _numbers(pair: word_table.WordPair) -> dict[str, object]:
    return {"query": pair.query, "key": pair.key, "score": pair.score, "sentences": pair.sentences, "looks": pair.hits,
            "looks_at_another": pair.random}  # fmt: skip


def _pairs(pairs: Sequence[word_table.WordPair]) -> None:
    heads = [words(f"circuits.words_{name}") for name in ("query", "key", "score", "count", "looks", "other")]
    rows = [
        (pair.query, pair.key, signed(pair.score), str(pair.sentences), _share(pair.share), _share(pair.random_share))
        for pair in pairs
    ]
    show.table(table_html(heads, rows, long=True))


def _share(share: Estimate | None) -> str:
    if share is None:
        return "–"
    value, low, high = map(percent, share)
    return words("number.with_range", value=value, low=low, high=high)


def _says(pairs: Sequence[word_table.WordPair]) -> str:
    both = word_table.summed(pairs)
    if both is None:
        return words("circuits.words_unchecked")
    numbers = dict(zip(("share", "low", "high"), map(percent, both[0]), strict=True))
    numbers |= dict(zip(("random", "random_low", "random_high"), map(percent, both[1]), strict=True))
    return words("circuits.words_says", count=sum(pair.sentences for pair in pairs), **numbers)


def _search(entry: catalogue.Entry, picked: PickedHead, apart: int, rare: bool, options: str) -> None:
    """What a word looks for, and which words look for it."""
    text = controls.text("sought", words("circuits.words_find"), "", LONGEST, words("circuits.words_hint")).strip()
    if not text:
        return
    side = _side(picked)
    seen, checkpoint = _seen(entry, side), models.checkpoint(entry)
    place = word_table.named(checkpoint, seen, text)
    if place is None:
        pieces = " · ".join(checkpoint.tokenizer.tokens(checkpoint.tokenizer.pieces(text)))
        show.text(words("circuits.words_unknown", word=text, words=len(seen.ids), pieces=pieces))
        return
    [shown] = checkpoint.tokenizer.tokens([int(seen.ids[place])])
    tables = zip(("looks_for", "looked_for"), _around(entry, side, picked.head, apart, rare, place), strict=True)
    for name, pairs in tables:
        show.subheader(words(f"circuits.words_{name}", word=plain(shown)))
        if pairs:
            _pairs(pairs)
        else:
            show.text(words("circuits.words_nothing"))
    options += f" --word {shlex.quote(text)} --most {word_table.AROUND}"
    folder_command.repeat(entry, word_pairs.MEASUREMENT.name, options)


def _measured(entry: catalogue.Entry, seen: pairs_in_sentences.SeenWords, rotates: bool) -> None:
    """What the numbers are, what is held, and what has no such table."""
    if rotates:
        show.caption(words("circuits.words_rotary"))
    if entry.config.position in BIASES:
        show.caption(words("circuits.words_added"))
    limits = {"least": pairs_in_sentences.LEAST, "most": pairs_in_sentences.MOST, "places": word_scores.PLACES}
    show.caption(words("circuits.words_measured", words=len(seen.ids), sentences=len(seen.sentences), **limits))
    if entry.config.architecture != "encoder-decoder":
        return
    saved = score_sources.MEASUREMENT.saved(entry)
    of_cross = [] if saved is None else [
        shares["content"].mean for head, shares in saved.heads.items() if head.startswith("cross.0.")
    ]  # fmt: skip
    if of_cross:
        values = {"low": percent(max(0.0, min(of_cross))), "high": percent(max(0.0, *of_cross))}
        show.caption(words("circuits.words_cross_share", **values))
    else:
        show.caption(words("circuits.words_cross"))
