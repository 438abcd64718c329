"""A word of the user's own, written in place of the one that the model chose."""

from __future__ import annotations

import streamlit as st

from model.decode import scoring, translate
from model.errors import InvalidInput
from model.tokenization.tokenizer import EOS, SPECIALS, UNK
from pages.decoding import forks
from pages.decoding.output_list import Decoding
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.notices import plain
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls
from viz.components.timeline import Step

WORD = 40  # characters of a word that the user forces


def own_word(decoded: Decoding, step: Step) -> None:
    """The field for it, and the button that forces it at the step in view."""
    hint = _hint(decoded, step)
    with st.container(horizontal=True, vertical_alignment="bottom", key="own_word"):
        typed = controls.text("word", words("decoding.word", step=decoded.step), "", WORD, hint)
        ids = _ids(decoded, typed)
        if ids:
            pieces = " + ".join(models.tokenizer(decoded.entry).tokens(ids))
            st.button(
                words("decoding.force", word=plain(pieces), step=decoded.step),
                key="force",
                on_click=_force_typed,
                args=(decoded, ids),
            )


def _hint(decoded: Decoding, step: Step) -> str:
    """Suggest a word to type: the likeliest other one of the step, and a piece of one where the model has pieces."""
    tokenizer = models.tokenizer(decoded.entry)
    others = [each.word for each in step.candidates if each.id != step.id and each.id >= len(SPECIALS)]
    others = others or list(tokenizer.tokens(range(len(SPECIALS), tokenizer.size)))
    word = next((word for word in others if word[0].isalnum()), others[0])
    return words("decoding.word_hint" if tokenizer.whole else "decoding.word_hint_pieces", word=word)


def _force_typed(decoded: Decoding, ids: tuple[int, ...]) -> None:
    forks.force(decoded, decoded.step, ids)
    view.forget("word")


def _ids(decoded: Decoding, typed: str) -> tuple[int, ...]:
    """The tokens of a typed word; a dot before it asks for a piece that goes on a word, <eos> for the end."""
    if not typed.strip():
        return ()
    if typed.strip() == SPECIALS[EOS]:
        return (EOS,)

    tokenizer = models.tokenizer(decoded.entry)
    try:
        ids = translate.target_ids(models.checkpoint(decoded.entry), scoring.typed(tokenizer, typed))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ()
    if typed.startswith("·"):
        piece = tokenizer.vocabulary.get(typed[1:].strip())
        ids = (UNK,) if piece is None else (piece,)
    if UNK in ids:
        notices.say("warning", words("decoding.unknown", word=typed))
        return ()
    return ids
