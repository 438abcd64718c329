"""The corpus: what training showed of each word of a sentence, and which training sentences are near it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from corpora.corpus import Parted, numbered
from corpora.pairs import Pair
from corpora.text_index import TextIndex
from corpora.translation import Translation
from model.build import recipes
from model.checkpoint import catalogue
from model.features import sentences
from pages.data import nearest, search
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import show
from pages.shared.ui.downloads import export
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html

SAMPLE = 40_000  # training pairs at most
OF_GRAMMAR = 20_000  # sentences that the grammar of a translator writes, among which pairs are drawn


def figures(current_run: CurrentRun) -> None:
    """Each word of the sentence, its neighbours that were never seen, near sentences, and a search."""
    entry = current_run.entry
    with page.card("figure_corpus", words("data_corpus.title")):
        if isinstance(entry, catalogue.Untrained) or not sentences.has_corpus(entry):
            show.text(words("data_corpus.none"))
            return
        found = made(entry)
        if found is None:
            return
        show.caption(words("data_corpus.about", count=len(found.pairs), seed=_seed(entry)))
        _words(found, current_run.sentence, entry)
    page.flush()
    with page.card("figure_never", words("data_corpus.never_title"), words("data_corpus.never_about")):
        never = found.never_together(current_run.sentence)
        if never:
            heads = [words("data_corpus.first"), words("data_corpus.second")]
            show.table(table_html([*heads], never))
        else:
            show.text(words("data_corpus.never_none"))
    page.flush()
    with page.card("figure_nearest", words("data_corpus.near_title")):
        nearest.figure(current_run, found)
    page.flush()
    with page.card("figure_search", words("data_corpus.search_title")):
        search.figure(entry, found, _sample(entry).groups)


def made(entry: catalogue.Entry) -> TextIndex | None:
    """The index of the model's training sentences; None where the user has cancelled."""
    steps: dict[str, Callable[[catalogue.Entry], object]] = {"pairs": _sample, "index": index}
    name = f"corpus {entry.name} {entry.fingerprint}"
    with st.spinner(words("data_corpus.making")):
        results = progress.computed(name, [(step,) for step in steps], lambda step: steps[step](entry))
    return None if results is None else index(entry)


@models.cached(beside="always")
def index(entry: catalogue.Entry) -> TextIndex:
    """The training sentences of a model by their words."""
    return TextIndex(_sample(entry).pairs, spells=models.tokenizer(entry).spells)


class Sample(NamedTuple):
    """Training pairs, and the numbers of those of each topic and pattern."""

    pairs: list[Pair]
    groups: dict[str, dict[str, tuple[int, ...]]]


@models.cached(beside="always")
def _sample(entry: catalogue.Entry) -> Sample:
    """Training pairs, each once: all that there are, or a sample drawn with the seed of the recipe."""
    corpus = sentences.corpus_of(entry)
    if isinstance(corpus, Translation):
        corpus.pairs = OF_GRAMMAR  # before any is drawn: all of them take half a minute
    pairs = list(dict.fromkeys(corpus.texts() if isinstance(corpus, Translation) else corpus.train(0)))
    pairs = pairs if len(pairs) <= SAMPLE else random.Random(_seed(entry)).sample(pairs, SAMPLE)
    groups = corpus.groups() if isinstance(corpus, Translation | Parted) else {}
    return Sample(pairs, numbered(groups, pairs))


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
