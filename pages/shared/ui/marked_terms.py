"""Texts in which terms of the glossary are marked: `[[query]]` shows its name, `[[query|queries]]` other words for it.

A marked term has a dotted underline. Pointing at it, focusing it or tapping it shows its definition with a link to the
glossary (`terms.js`). Only the text itself may mark terms: values that are filled in are shown as they are.
"""

from collections.abc import Callable, Mapping
from math import ceil
from urllib.parse import urlencode

import streamlit as st

from pages.shared.session import address, view
from pages.shared.session.base_path import base
from pages.shared.text.words import all_texts, filled, words
from pages.shared.ui import reserved_space
from viz.html.glossary import Definition
from viz.html.prose import INLINE, MARK, inline_html, prose_html
from viz.text_width import text_width

COLUMNS = 905, 355  # px of the page beside the list of pages on a screen of 1280, and on a phone of 390
LINE, LETTER, NARROW = 25.6, 16, 0.41  # px of a line and of a Chinese character; of that, the mean of a Latin one
_CARRIED = ("language", "checkpoint", "sentence", "seed")  # of the view, by a link


def text(template: str, place: str, **values: object) -> None:
    """A text, its {placeholders} filled and its terms marked; `place` begins their ids, once on a page."""
    if MARK.search(template):
        plain = unmarked(filled(template, values))
        # Streamlit draws HTML after other elements, and what stands below would jump
        wide, slim = (_height(plain, width) for width in COLUMNS)
        with reserved_space.reserve(f"prose_{place}", wide, slim, marks=True):
            st.html(f'<div class="gf-lead" data-drawn>{inline_html(template, place, _fill(values), definition)}</div>')
    else:
        st.text(filled(template, values))


def _height(plain: str, width: int) -> float:
    return LINE * ceil(text_width(plain, LETTER, NARROW) / width)


def prose(template: str, place: str, **values: object) -> None:
    """Paragraphs, between them an empty line, with marked terms, *emphasis* and `code`; else as `text`."""
    st.html(prose_html(template, place, _fill(values), definition))


def without_marks(template: str, **values: object) -> str:
    """The text as a file holds it: terms by their names, and no links."""
    text = INLINE.sub(lambda mark: (mark[2] or title(mark[1])) if mark[1] else mark[3] or mark[4], template)
    return filled(text, values)


def _fill(values: Mapping[str, object]) -> Callable[[str], str]:
    return lambda piece: filled(piece, values)


def title(term: str) -> str:
    """The user's name of a term."""
    return words(f"term_{term}.name")


def definition(term: str) -> Definition:
    """Definition of a term, with the link to its entry."""
    english = all_texts("en")[f"term_{term}.name"] if view.language() != "en" else ""
    where = link("glossary", {"term": term})
    return Definition(title(term), english, unmarked(words(f"term_{term}.text")), words("glossary.more"), where)


def unmarked(template: str) -> str:
    """A text with its marked terms as plain words."""
    return MARK.sub(lambda mark: mark[2] or title(mark[1]), template)


def linked(template: str) -> list[tuple[str, str]]:
    """A text in pieces, each with the link to the entry of the term that is marked there, or with none."""
    pieces, end = [], 0
    for mark in MARK.finditer(template):
        pieces += [(template[end : mark.start()], ""), (mark[2] or title(mark[1]), link("glossary", {"term": mark[1]}))]
        end = mark.end()
    return [*pieces, (template[end:], "")]


def link(page: str, settings: dict[str, str]) -> str:
    """A link to a page with the language, model and sentence in view, and these settings; another model has its own."""
    common = {key: value for key, value in address.url_of().items() if key in _CARRIED}
    if "checkpoint" in settings:
        common.pop("sentence", None)
    return f"{base()}/{page}?{urlencode(common | settings)}"
