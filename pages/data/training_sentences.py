"""The corpus: what training showed of each word of a sentence, and which training sentences are near it."""

from __future__ import annotations

import random
from collections.abc import Callable

import streamlit as st

from corpora.pairs import Pair
from corpora.text_index import TextIndex
from corpora.translation import Translation
from model.build import recipes
from model.checkpoint import catalogue
from model.features import sentences
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html

SAMPLE = 40_000  # training pairs at most
OF_GRAMMAR = 20_000  # sentences that the grammar of a translator writes, among which pairs are drawn
LONGEST = 100  # characters of what is searched for


def figures(current_run: CurrentRun) -> None:
    """Each word of the sentence, its neighbours that were never seen, near sentences, and a search."""
    entry = current_run.entry
    with page.card("figure_corpus", words("data_corpus.title")):
        if isinstance(entry, catalogue.Untrained) or not sentences.has_corpus(entry):
            show.text(words("data_corpus.none"))
            return
        index = _made(entry)
        if index is None:
            return
        show.caption(words("data_corpus.about", count=len(index.pairs), seed=_seed(entry)))
        _words(index, current_run.sentence, entry)
    page.flush()
    with page.card("figure_never", words("data_corpus.never_title"), words("data_corpus.never_about")):
        never = index.never_together(current_run.sentence)
        if never:
            heads = [words("data_corpus.first"), words("data_corpus.second")]
            show.table(table_html([*heads], never))
        else:
            show.text(words("data_corpus.never_none"))
    page.flush()
    with page.card("figure_nearest", words("data_corpus.near_title"), words("data_corpus.near_about")):
        _nearest(index, current_run.sentence, entry)
    page.flush()
    with page.card("figure_search", words("data_corpus.search_title")):
        _search(index)


def _made(entry: catalogue.Entry) -> TextIndex | None:
    """The index of the model's training sentences; None where the user has cancelled."""
    steps: dict[str, Callable[[catalogue.Entry], object]] = {"pairs": _pairs, "index": _index}
    name = f"corpus {entry.name} {entry.fingerprint}"
    with st.spinner(words("data_corpus.making")):
        results = progress.computed(name, [(step,) for step in steps], lambda step: steps[step](entry))
    return None if results is None else _index(entry)


@models.cached(beside="always")
def _index(entry: catalogue.Entry) -> TextIndex:
    return TextIndex(_pairs(entry), spells=models.tokenizer(entry).spells)


@models.cached(beside="always")
def _pairs(entry: catalogue.Entry) -> list[Pair]:
    """Training pairs, each once: all that there are, or a sample drawn with the seed of the recipe."""
    corpus = sentences.corpus_of(entry)
    if isinstance(corpus, Translation):
        corpus.pairs = OF_GRAMMAR  # before any is drawn: all of them take half a minute
    pairs = list(dict.fromkeys(corpus.texts() if isinstance(corpus, Translation) else corpus.train(0)))
    return pairs if len(pairs) <= SAMPLE else random.Random(_seed(entry)).sample(pairs, SAMPLE)


def _seed(entry: catalogue.Entry) -> int:
    return recipes.RECIPES[entry.name].seed if entry.name in recipes.RECIPES else int(entry.card["run"].get("seed", 0))


def _words(index: TextIndex, sentence: str, entry: catalogue.Entry) -> None:
    seen = [index.seen(word) for word in dict.fromkeys(index.words(sentence))]
    heads = [words(f"data_corpus.{name}") for name in ("word", "sentences", "before", "behind")]
    rows = [(each.word, f"{each.sentences:,}", _counted(each.before), _counted(each.behind)) for each in seen]
    show.table(table_html(heads, rows))
    numbers = [
        {"word": each.word, "sentences": each.sentences, "before": _counted(each.before),
         "behind": _counted(each.behind)}
        for each in seen
    ]  # fmt: skip
    export.files("data-words", Numbers(numbers), measured={"sentences": len(index.pairs), "seed": _seed(entry)})


def _counted(neighbours: tuple[tuple[str, int], ...]) -> str:
    return " · ".join(f"{word} {count:,}" for word, count in neighbours) or "–"


def _nearest(index: TextIndex, sentence: str, entry: catalogue.Entry) -> None:
    near = index.nearest(sentence)
    if not near:
        show.text(words("data_corpus.near_none"))
        return
    between = "" if index.spells else " "
    heads = [words(f"data_corpus.{name}") for name in ("source", "target", "shared")]
    rows = [(each.pair.source, each.pair.target, between.join(each.shared)) for each in near]
    show.table(table_html(heads, rows))
    numbers = [{"source": source, "target": target, "shared": shared} for source, target, shared in rows]
    export.files("data-nearest", Numbers(numbers), measured={"sentences": len(index.pairs), "seed": _seed(entry)})


def _search(index: TextIndex) -> None:
    query = controls.text("find", words("data_corpus.find"), "", LONGEST)
    if not query.strip():
        return
    count, pairs = index.found(query)
    show.text(words("data_corpus.found", count=count, of=len(index.pairs), shown=len(pairs)))
    if pairs:
        show.table(table_html([words("data_corpus.source"), words("data_corpus.target")], pairs))
