"""The switch for whole words in place of tokens, and what it does."""

from model.trace import AttentionKind
from pages.shared.text.words import words
from pages.shared.ui import controls, show

SETTING = "words"


def is_on() -> bool:
    """Whether whole words are asked for; a page asks before it draws the switch."""
    return controls.named(SETTING, words("whole_words.label"), ("0", "1"), "0") == "1"


def draw(about: str = "about") -> None:
    """The switch; `about` is the text of its question mark."""
    controls.toggle(SETTING, words("whole_words.label"), help=words(f"whole_words.{about}"))


def explained(kind: AttentionKind) -> None:
    """The formula by which tokens are joined, where they are, and what a mask then means."""
    if is_on():
        show.formula("whole_words")
        show.caption(words("whole_words.causal" if kind == "decoder" else "whole_words.which"))


def kept() -> None:
    """Say that a figure keeps the tokens, where whole words are asked for."""
    if is_on():
        show.caption(words("whole_words.kept"))
