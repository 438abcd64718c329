"""A sample of the training sentences of a model, with their index."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from corpora.corpus import Numbered, numbered
from corpora.text_index import TextIndex
from model.build import recipes
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.features import sentences
from model.influence import stored_index
from pages.data import asked_word
from pages.shared.models import models
from pages.shared.text import notices
from pages.shared.text.words import refusal, words


class Sample(NamedTuple):
    """Training pairs by their words, and the numbers of those of each topic and pattern."""

    by_words: TextIndex
    groups: Numbered


def made(entry: catalogue.Entry) -> Sample | None:
    """The sample of a model: that of its index, else drawn with the seed of its recipe; None where there is none."""
    try:
        with st.spinner(words("data_corpus.making")):
            return of(entry, asked_word.stored_state(entry))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return None


@models.cached(beside="always")
def of(entry: catalogue.Entry, state: asked_word.State) -> Sample:
    """The same; where a grammar has to write it, that takes ten seconds. Raises `InvalidInput` where there is none."""
    if stored := asked_word.stored(entry):
        pairs, groups = stored.sample, stored.groups
    else:
        all_pairs, sources = sentences.learned(entry)
        pairs = stored_index.sample((), all_pairs, seed(entry))
        groups = numbered(sources, pairs)
    return Sample(TextIndex(pairs, spells=models.tokenizer(entry).spells), groups)


def seed(entry: catalogue.Entry) -> int:
    """What pairs are drawn with."""
    if asked_word.stored(entry):
        return stored_index.SEED
    return recipes.RECIPES[entry.name].seed if entry.name in recipes.RECIPES else int(entry.card["run"].get("seed", 0))
