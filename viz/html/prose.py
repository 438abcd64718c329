"""Texts with marks as HTML: `[[query]]` is a term of the glossary, `[[query|queries]]` other words for it.

Paragraphs have an empty line between them, and may mark *emphasis* and `code`. All text is escaped.
"""

import html
import re
from collections.abc import Callable

from .glossary import Definition, term_html

MARK = re.compile(r"\[\[([\w-]+)(?:\|([^\]]+))?\]\]")
INLINE = re.compile(rf"{MARK.pattern}|\*([^*]+)\*|`([^`]+)`")
Fill = Callable[[str], str]


def prose_html(template: str, place: str, fill: Fill, definition: Callable[[str], Definition]) -> str:
    """Paragraphs with marked terms. `place` begins the ids of the definitions, once on a page.

    `fill` puts values into a piece of the text, which stay text; `definition` gives that of a term.
    """
    paragraphs = (f"<div>{inline_html(each, place, fill, definition)}</div>" for each in template.strip().split("\n\n"))
    return f'<div class="gf-prose">{"".join(paragraphs)}</div>'


def inline_html(template: str, place: str, fill: Fill, definition: Callable[[str], Definition]) -> str:
    """One paragraph. Its form is read before the values are filled in."""
    parts, end = [], 0
    for mark in INLINE.finditer(template):
        term, text, emphasis, code = mark.groups()
        parts.append(html.escape(fill(template[end : mark.start()])))
        if term:
            meaning = definition(term)
            parts.append(term_html(fill(text or meaning.name), meaning, f"term-{place}-{term}"))
        else:
            tag = "em" if emphasis else "code"
            parts.append(f"<{tag}>{html.escape(fill(emphasis or code))}</{tag}>")
        end = mark.end()
    parts.append(html.escape(fill(template[end:])))
    return "".join(parts)
