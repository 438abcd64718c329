"""Every word that a person reads, in their language: `words("start.title")`."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from model.errors import InvalidInput
from pages.shared.session import language_choice
from pages.shared.session.view import language
from pages.shared.text import untranslated
from viz.languages import APP, FIRST, texts_of

NAMES = ("id", "seed", "year")  # values that name something and count nothing
CONTENT = Path(__file__).parents[2] / "content"
_RANGE = re.compile(r"(?<=[\d%}])–(?=[\d{−])")  # 0–1, or between two placeholders


@cache
def all_texts(language: str) -> dict[str, str]:
    """All keys of English with the texts of a language, and in English those that it lacks."""
    return own_texts(FIRST) | own_texts(language)


@cache
def missing(language: str) -> frozenset[str]:
    """The keys that a language has no text for; none of English and Chinese."""
    return frozenset(own_texts(FIRST).keys() - own_texts(language).keys())


@cache
def own_texts(language: str) -> dict[str, str]:
    """The texts of a language, flat, dotted: of figures, of errors, of what pages share, of each page."""
    no_break = {key: _RANGE.sub("–\u2060", text) for key, text in texts_of(language, *APP).items() if "–" in text}
    return texts_of(language, *APP) | no_break


def words(key: str, **values: object) -> str:
    """The text of a key in the user's language, its {placeholders} filled."""
    return _filled(key, values)


def _filled(key: str, values: Mapping[str, object]) -> str:
    spoken = language()
    text = filled(all_texts(spoken)[key], values)
    if key in missing(spoken):
        untranslated.note(text)
    return text


def sentences(*texts: str) -> str:
    """Sentences one after the other, with a space between them where the language has one; none of empty ones."""
    return (" " if language_choice.language(language()).spaces else "").join(filter(None, texts))


def filled(template: str, values: Mapping[str, object]) -> str:
    """The text with its {placeholders} filled; whole numbers with separated thousands, but for those that only name."""
    if not values:
        return template
    counts = {name: f"{n:,}" for name, n in values.items() if type(n) is int and name not in NAMES}
    return template.format(**{**values, **counts})


def name(table: str, key: str) -> str:
    """The user's word for a name that a card uses; a card of somebody else's may use names we have no word for."""
    return _filled(f"{table}.{key}", {}) if f"{table}.{key}" in all_texts(language()) else key


def section(prefix: str, of: str | None = None) -> dict[str, str]:
    """All texts under `prefix.`, by the rest of their keys, placeholders left open; `of` a language, or the user's."""
    spoken = of or language()
    texts = _section(prefix, spoken)
    if not of and missing(spoken):
        for key in _missing_section(prefix, spoken):
            untranslated.note(texts[key])
    return dict(texts)


@cache
def _missing_section(prefix: str, language: str) -> list[str]:
    start = f"{prefix}."
    return [key.removeprefix(start) for key in missing(language) if key.startswith(start)]


@cache
def _section(prefix: str, language: str) -> dict[str, str]:
    start = f"{prefix}."
    return {key.removeprefix(start): text for key, text in all_texts(language).items() if key.startswith(start)}


def refusal(error: InvalidInput) -> str:
    """The sentence of a refusal in the user's language."""
    key = f"refused.{error.code}"
    if key in missing(language()):
        untranslated.note(str(error))
    values = {
        name: refusal(value) if isinstance(value, InvalidInput) else value for name, value in error.values.items()
    }
    return all_texts(language())[key].format(**values)
