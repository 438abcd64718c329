"""Terms of the glossary as HTML: marked in a text with their definition, and as entries. All text is escaped."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


class Definition(NamedTuple):
    """What a term means: its name, the English name where that is another one, the text, and a link to more."""

    name: str
    english: str
    text: str
    more: str
    address: str


def term_html(shown: str, definition: Definition, place: str) -> str:
    """A term in a text and, right behind it, the definition that `terms.js` shows; `place` is an id on the page."""
    id_ = escape(place)
    return (
        f'<span class="gf-term" role="button" tabindex="0" aria-describedby="{id_}">{escape(shown)}</span>'
        f'<aside class="gf-definition" popover="manual"><b>{escape(definition.name)}</b>{_english(definition.english)}'
        f'<span id="{id_}">{escape(definition.text)}</span>'
        f'<a href="{escape(definition.address)}" target="_self">{escape(definition.more)}</a></aside>'
    )


class Entry(NamedTuple):
    """A term on its own page: `live` is what it does in the sentence in view, `see` a link to where it is shown."""

    definition: Definition
    aliases: str
    formula: str
    live: tuple[str, str] | None
    see: tuple[str, str]
    chosen: bool


def entries_html(entries: Sequence[Entry]) -> str:
    """Entries below each other, each with a link to itself."""
    return f'<div class="gf-glossary">{"".join(map(_entry, entries))}</div>'


def _entry(entry: Entry) -> str:
    definition = entry.definition
    live = f"<p class=gf-live><b>{escape(entry.live[0])}</b> {escape(entry.live[1])}</p>" if entry.live else ""
    formula = f"<p class=gf-formula>{escape(entry.formula)}</p>" if entry.formula else ""
    label, address = entry.see
    return (
        f"<article{' class=gf-chosen' if entry.chosen else ''}>"
        f'<div><h3>{escape(definition.name)}<a href="{escape(definition.address)}" target="_self" '
        f'aria-label="{escape(definition.more)}">#</a></h3>{_english(definition.english)}'
        f"<small>{escape(entry.aliases)}</small></div>"
        f"<div><p>{escape(definition.text)}</p>{formula}{live}"
        f'<p><a href="{escape(address)}" target="_self">{escape(label)}</a></p></div></article>'
    )


def _english(name: str) -> str:
    return f'<i lang="en">{escape(name)}</i>' if name else ""
