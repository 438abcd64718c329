"""A word taken apart into the tokens of the vocabulary."""

from collections.abc import Sequence

import streamlit as st

from model.checkpoint import catalogue
from model.tokenization.tokenizer import UNK
from pages.shared.models import models, spoken
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls
from viz.templates import render

WORD_LIMIT = 40  # characters of a word to take apart
# rare words with a character that the model lacks, by its source language: the first one, and another one to try
_WORDS = {"zh": ("iPhone 猕猴桃", "WiFi 蜻蜓"), "es": ("otorrinolaringólogo 书", "taquilla 票")}
_OTHERWISE = ("Zwerchfellkrampf 书", "Kinokarte 票")


def rare_words(entry: catalogue.Entry) -> tuple[str, str]:
    """A rare word that a model has to take apart, and another one, in the language that it reads."""
    return _WORDS.get(entry.card.get("source_language", ""), _OTHERWISE)


def strip(tokens: Sequence[str], ids: Sequence[int]) -> None:
    """Tokens with their ids; the unknown one framed."""
    chips = [(token, id_, id_ == UNK) for token, id_ in zip(tokens, ids, strict=True)]
    st.html(spoken.mark(render("pages/embedding/chips.html", "strip", tokens=chips)))


def taken_apart(current_run: CurrentRun) -> tuple[str, list[int], tuple[str, ...], tuple[str, ...]]:
    """The control for a word; the word, its ids and tokens without specials, and the characters that no token holds."""
    word = controls.text("word", words("embedding.word"), rare_words(current_run.entry)[0], WORD_LIMIT)
    tokenizer = models.tokenizer(current_run.entry)
    ids = tokenizer.pieces(word)
    return word, ids, tokenizer.tokens(ids, begins=True), tokenizer.unknown_characters(word)
