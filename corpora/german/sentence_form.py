"""From words to a sentence: capital, spacing and the final mark."""

from corpora.pairs import Pair


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def sentence(german: str, english: str, end: str = ".", en_end: str = "") -> Pair:
    """A pair of sentences with the same final mark in both languages."""
    return Pair(capital(german) + end, capital(english) + (en_end or end))
