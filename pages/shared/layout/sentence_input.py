"""The sentence to type, and how long it may be: in the sidebar, and on the first page beside its result."""

import streamlit as st

from model.checkpoint import catalogue
from model.checkpoint.recording import Recording
from model.errors import InvalidInput
from model.tokenization.tokenizer import CHARACTER_LIMIT
from pages.shared.classroom import my_class
from pages.shared.models import models
from pages.shared.models.sentence import sentence_if_sound
from pages.shared.session import view, widgets
from pages.shared.text import notices
from pages.shared.text.words import words
from viz.whole_words import EMPTY


def sentence_input(entry: catalogue.Entry) -> None:
    """The field for the sentence that `entry` reads; a recording has one already."""
    if isinstance(entry, Recording):
        st.caption(words("recording.one_sentence"))
        return
    default = sentence_if_sound(entry)
    sentence = view.view().sentence
    st.text_input(
        words("frame.sentence"),
        placeholder=words("frame.sentence_hint"),
        autocomplete="off",
        **widgets.bound("sentence", default if sentence is None else sentence, _typed),
    )
    _count(entry, default)


def _typed() -> None:
    my_class.has_typed(view.view().sentence or "")


def _count(entry: catalogue.Entry, sentence: str) -> None:
    if len(sentence) > CHARACTER_LIMIT:  # which is not cut into tokens
        st.caption(words("frame.characters", count=f"{len(sentence):,}", limit=f"{CHARACTER_LIMIT:,}"))
        return
    try:
        tokenizer = models.tokenizer(entry)
        ids = tokenizer.encode(sentence)
        count, limit = len(ids), models.longest_sentence(entry)
        said = [words("frame.count", count=count, limit=limit)] if count > limit / 2 else []
        if EMPTY in tokenizer.tokens(ids):
            said.append(words("frame.space"))
        if tokenizer.separator:
            said.append(words("frame.pair", separator=notices.plain(tokenizer.separator)))
        if said:
            st.caption(" · ".join(said))
    except InvalidInput:  # the page itself says what is wrong with the checkpoint
        return
