"""The tokens of a sentence that the course asks about, and their names as options."""

from collections.abc import Sequence

from model.tokenization.token_text import is_special


def worded(tokens: Sequence[str]) -> list[int]:
    """The positions of tokens that stand for text; all where none does."""
    return [position for position, token in enumerate(tokens) if not is_special(token)] or list(range(len(tokens)))


def longest(tokens: Sequence[str]) -> int:
    """The position of the longest token: most often a word with a meaning of its own."""
    return max(worded(tokens), key=lambda position: len(tokens[position]))


def numbered(tokens: Sequence[str]) -> tuple[str, ...]:
    """Each token, with its place where another is spelled alike."""
    return tuple(f"{token} ({position})" if tokens.count(token) > 1 else token for position, token in enumerate(tokens))
