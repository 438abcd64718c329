"""What has to be said about a sentence or a link, each in one plain line."""

import re

import streamlit as st

from model import catalogue
from pages.shared import view
from pages.shared.words import words

_SHOWN = 6  # words named in one notice
_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text that Streamlit's Markdown shows exactly as it was typed."""
    return _MARKUP.sub(r"\\\1", text)


def _visible(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"


def show() -> None:
    """What the URL asked for and could not get."""
    for key, values in view.view().notices:
        st.warning(plain(words(key, **values)))


def about(run, entry: catalogue.Entry) -> None:
    """Words and characters that the model never saw, and a translation that did not end by itself."""
    if run.unknown_characters:
        st.warning(
            plain(words("notice.characters", characters=" ".join(map(_visible, run.unknown_characters[:_SHOWN]))))
        )
    if run.unseen_words:
        listed = words("notice.between").join(
            f"{word} ({' '.join(pieces)})" for word, pieces in list(run.unseen_words.items())[:_SHOWN]
        )
        more = len(run.unseen_words) - _SHOWN
        st.warning(plain(words("notice.unseen", words=listed) + (words("notice.more", count=more) if more > 0 else "")))
    if run.stop != "eos":
        st.warning(plain(words(f"notice.stop_{run.stop}", limit=entry.config["max_length"])))
    if run.unseen_words or run.unknown_characters or run.stop != "eos":
        examples(entry)


def examples(entry: catalogue.Entry) -> None:
    """Three sentences that work, a click away."""
    with st.container(horizontal=True, key="examples"):
        st.caption(words("notice.try"))
        for number, sentence in enumerate(entry.card["examples"][:3]):
            st.button(
                plain(sentence),
                key=f"example_{number}",
                type="tertiary",
                on_click=view.choose,
                kwargs={"sentence": sentence},
            )


def other_checkpoints(entry: catalogue.Entry) -> None:
    """The way out of a damaged checkpoint."""
    others = [name for name in catalogue.entries() if name != entry.name]
    if others:
        st.button(
            words("notice.use_other", name=plain(others[0])), on_click=view.choose, kwargs={"checkpoint": others[0]}
        )
