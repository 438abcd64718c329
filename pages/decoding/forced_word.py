"""A word of the user's own, written in place of the one that the model chose."""

from __future__ import annotations

import streamlit as st

from model.decode import scoring, translate
from model.errors import InvalidInput
from model.tokenization.tokenizer import EOS, SPECIALS, UNK
from pages.decoding import branches
from pages.decoding.output_list import Decoding
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.notices import plain
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls
from viz.components.timeline import Step

WORD = 40  # characters of a word that the user forces


def own_word(decoding: Decoding, step: Step) -> None:
    """The field for it, and the button that forces it at the step in view."""
    hint = _hint(decoding, step)
    with st.container(horizontal=True, vertical_alignment="bottom", key="own_word"):
        word = controls.text("word", words("decoding.word", step=decoding.step), "", WORD, hint)
        ids = _ids(decoding, word)
        if ids:
            pieces = " + ".join(models.tokenizer(decoding.entry).tokens(ids))
            st.button(
                words("decoding.force", word=plain(pieces), step=decoding.step),
                key="force",
                on_click=_force_typed,
                args=(decoding, ids),
            )


def _hint(decoding: Decoding, step: Step) -> str:
    """Suggest a word to type: the likeliest other one of the step, and a piece of one where the model has pieces."""
    tokenizer = models.tokenizer(decoding.entry)
    others = [each.word for each in step.candidates if each.id != step.id and each.id >= len(SPECIALS)]
    others = others or list(tokenizer.tokens(range(len(SPECIALS), tokenizer.size)))
    word = next((word for word in others if word[0].isalnum()), others[0])
    return words("decoding.word_hint" if tokenizer.whole else "decoding.word_hint_pieces", word=word)


def _force_typed(decoding: Decoding, ids: tuple[int, ...]) -> None:
    branches.force(decoding, decoding.step, ids)
    view.forget("word")


def _ids(decoding: Decoding, word: str) -> tuple[int, ...]:
    """The tokens of a typed word; a dot before it asks for a piece that goes on a word, <eos> for the end."""
    if not word.strip():
        return ()
    tokenizer = models.tokenizer(decoding.entry)
    if word.strip() in (SPECIALS[EOS], tokenizer.specials[EOS]):
        return (EOS,)
    try:
        ids = translate.target_ids(models.checkpoint(decoding.entry), scoring.typed(tokenizer, word))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ()
    if word.startswith("·"):
        piece = tokenizer.vocabulary.get(word[1:].strip())
        ids = (UNK,) if piece is None else (piece,)
    if UNK in ids:
        notices.say("warning", words("decoding.unknown", word=word))
        return ()
    return ids
