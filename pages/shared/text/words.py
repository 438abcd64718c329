"""Every word that a person reads, in their language: `words("start.title")`."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from model.errors import InvalidInput
from pages.shared.session import language_choice
from pages.shared.session.view import language
from pages.shared.text import untranslated
from viz.languages import FIRST, FULL, fitting, texts_of

_PAGES = Path(__file__).parents[2]
_FIGURES = _PAGES.parent / "viz" / "words"
NAMES = ("id", "seed", "year")  # values that name something and count nothing
CONTENT = _PAGES / "content"
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
    """The texts of a language, flat, dotted: of figures, of what pages share, of each page; see `texts_of`.

    English and Chinese have files beside what they are about; other languages have all of them in one folder. What
    cannot be filled in there is left out, so that English stands in.
    """
    texts = texts_of(language, sorted(files(language)))  # sorted: a table has its keys in the same order everywhere
    if language not in FULL:
        texts = fitting(texts, own_texts(FIRST))
    return {key: _RANGE.sub("–\u2060", text) for key, text in texts.items()}  # no line break inside


def files(language: str) -> Iterator[Path]:
    """The files of a language's texts."""
    yield from (path for path in (_FIGURES / f"{language}.toml",) if path.is_file())
    yield from _PAGES.glob(f"*/words/{language}.toml")
    folder = language_choice.language(language).folder
    yield from (path for path in folder.glob("*.toml") if path.name != "language.toml")


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
    """The sentence of a refusal in the user's language; English ones come with the error itself."""
    template = all_texts(language()).get(f"refused.{error.code}")
    if template is None:
        untranslated.note(str(error) if language() != FIRST else "")
        return str(error)
    values = {key: refusal(value) if isinstance(value, InvalidInput) else value for key, value in error.values.items()}
    return template.format(**values)
