"""Terms of the glossary as HTML: marked in a text with their definition, and as entries. All text is escaped."""

from collections.abc import Sequence
from typing import NamedTuple

from ..templates import render

TEMPLATE = "html/templates/glossary.html"


class Definition(NamedTuple):
    """Definition of a term: its name, the English name where that is another one, the text, perhaps a link to more."""

    name: str
    english: str
    text: str
    more: str = ""
    address: str = ""


def term_html(text: str, definition: Definition, place: str) -> str:
    """A term in a text and, right behind it, the definition that `terms.js` shows; `place` is an id on the page."""
    return render(TEMPLATE, "term", shown=text, definition=definition, id=place)


class Entry(NamedTuple):
    """A term on its own page: its text in `parts`, some with a link to another term.

    `live` is what it does in the sentence in view, `see` a link to where it is shown.
    """

    definition: Definition
    aliases: str
    parts: Sequence[tuple[str, str]]
    formula: str
    live: tuple[str, str] | None
    see: tuple[str, str]
    chosen: bool


def entries_html(entries: Sequence[Entry]) -> str:
    """Entries below each other, each with a link to itself."""
    return render(TEMPLATE, "entries", entries=entries)
