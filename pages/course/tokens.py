"""The tokens of a sentence as controls and labels of the course."""

from collections.abc import Sequence

from model.tokenization.tokenizer import SPECIALS
from pages.shared.text.notices import plain
from pages.shared.ui import controls


def pick(key: str, label: str, tokens: Sequence[str], default: int) -> int:
    """A control for one of the tokens that stand for text, by its place among all."""
    titles = {place: plain(tokens[place]) for place in worded(tokens)}
    return controls.choice(key, label, titles, default if default in titles else next(iter(titles)))


def worded(tokens: Sequence[str]) -> list[int]:
    """The places of tokens that stand for text; all where none does."""
    return [place for place, token in enumerate(tokens) if token not in SPECIALS] or list(range(len(tokens)))


def longest(tokens: Sequence[str]) -> int:
    """The place of the longest token: most often a word with a meaning of its own."""
    return max(worded(tokens), key=lambda place: len(tokens[place]))


def numbered(tokens: Sequence[str]) -> tuple[str, ...]:
    """Each token, with its place where another is spelled alike."""
    return tuple(f"{token} ({place})" if tokens.count(token) > 1 else token for place, token in enumerate(tokens))
