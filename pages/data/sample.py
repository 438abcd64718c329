"""The training sentences of a model and their index, made in short parts, between which the user is heard."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import NamedTuple

import cachetools
import streamlit as st

from corpora.corpus import Corpus, Groups, Parted, numbered
from corpora.pairs import Pair
from corpora.text_index import TextIndex
from corpora.translation import Translation
from model.build import recipes
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.features import sentences
from model.influence import retraining
from pages.shared.layout import progress
from pages.shared.load import workers
from pages.shared.models import models
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

MOST = 40_000  # training pairs
OF_GRAMMAR = 20_000  # sentences that the grammar of a translator writes, among which pairs are drawn
DRAWN = 400  # of these in one part: a fifth of a second of one core


class Sample(NamedTuple):
    """Training pairs by their words, and the numbers of those of each topic and pattern."""

    by_words: TextIndex
    groups: dict[str, dict[str, tuple[int, ...]]]


def made(entry: catalogue.Entry) -> Sample | None:
    """The sample of a model, drawn with the seed of its recipe; None where the user has cancelled, or there is none."""
    if models.is_kept(of, entry):
        return of(entry)
    name = f"corpus {entry.name} {entry.fingerprint}"
    try:
        with st.spinner(words("data_corpus.making")):
            parts = [(number,) for number in range(workers.compute(_parts, entry))]
            results = progress.computed(name, parts, lambda number: workers.compute(_do, entry, number))
            return None if results is None else of(entry)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return None


@models.cached(beside="always")
def of(entry: catalogue.Entry) -> Sample:
    """The same at a stretch, or what is left of it. Raises `InvalidInput` for a model without training pairs."""
    making = _making(entry)
    making.do(len(making.parts))
    with _change:
        _under_way.pop(_key(entry), None)
    assert making.sample
    return making.sample


def seed(entry: catalogue.Entry) -> int:
    """What pairs are drawn with."""
    return recipes.RECIPES[entry.name].seed if entry.name in recipes.RECIPES else int(entry.card["run"].get("seed", 0))


class _Making:
    """A sample under way. A part that is done costs nothing when it is asked for again."""

    def __init__(self, entry: catalogue.Entry) -> None:
        self.entry, self.corpus = entry, sentences.corpus_of(entry)
        self.sample: Sample | None = None
        self._pairs: list[Pair] = []
        self._groups: Groups = {}
        self._lock, self._done = Lock(), 0  # two users may wait for the same model
        self.parts = [*_first_parts(self.corpus), self._draw, self._group, self._index]

    def do(self, number: int) -> None:
        """Do all parts up to one."""
        with self._lock:
            for part in self.parts[self._done : number + 1]:
                part()
                self._done += 1

    def _draw(self) -> None:
        corpus = self.corpus
        pairs = list(dict.fromkeys(corpus.texts() if isinstance(corpus, Translation) else corpus.train(0)))
        retraining.check(pairs)
        self._pairs = pairs if len(pairs) <= MOST else random.Random(seed(self.entry)).sample(pairs, MOST)

    def _group(self) -> None:
        self._groups = self.corpus.groups() if isinstance(self.corpus, Translation | Parted) else {}

    def _index(self) -> None:
        index = TextIndex(self._pairs, spells=models.tokenizer(self.entry).spells)
        self.sample = Sample(index, numbered(self._groups, self._pairs))


def _first_parts(corpus: Corpus) -> list[Callable[[], object]]:
    """The parts that only a translator has: all sentences of its grammar would take half a minute."""
    if not isinstance(corpus, Translation):
        return []
    corpus.pairs = OF_GRAMMAR  # before any is drawn
    drawn = [partial(corpus.draw, count) for count in range(DRAWN, OF_GRAMMAR + 1, DRAWN)]
    return [*drawn, corpus.written, lambda: corpus.by_heart]


_under_way: cachetools.LRUCache[tuple[str, str], _Making] = cachetools.LRUCache(2)  # each holds a whole corpus
_change = Lock()  # the cache is not safe with threads


def _key(entry: catalogue.Entry) -> tuple[str, str]:
    return entry.name, entry.fingerprint


def _making(entry: catalogue.Entry) -> _Making:
    with _change:
        if _key(entry) not in _under_way:
            _under_way[_key(entry)] = _Making(entry)
        return _under_way[_key(entry)]


def _parts(entry: catalogue.Entry) -> int:
    """How many there are; none where another user has had them done."""
    return 0 if models.is_kept(of, entry) else len(_making(entry).parts)


def _do(entry: catalogue.Entry, number: int) -> None:
    _making(entry).do(number)
