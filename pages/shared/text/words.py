"""Every word that a person reads, in their language: `words("start.title")`."""

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from model.errors import InvalidInput
from pages.shared.session import languages
from pages.shared.session.view import language
from pages.shared.text import untranslated
from viz.languages import FIRST, FULL

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
    """The texts of a language, flat, dotted: of figures, of what pages share, of each page. A key stands in one file.

    English and Chinese have files beside what they are about; other languages have all of them in one folder. What is
    wrong there is left out and told the host, so that English stands in: every page has a few texts of all languages.
    """
    if language not in FULL:
        try:
            return _fitting(_texts(language))
        except ValueError as error:
            logging.getLogger(__name__).warning("The texts of %s cannot be used: %s", language, error)
            return {}
    return _texts(language)


def _fitting(texts: Mapping[str, str]) -> dict[str, str]:
    """Those whose placeholders English has too."""
    english = own_texts(FIRST)
    return {key: text for key, text in texts.items() if key not in english or _fits(text, english[key])}


def _fits(text: str, english: str) -> bool:
    try:
        return set(blanks(text)) <= set(blanks(english))
    except ValueError:
        return False


def blanks(text: str) -> list[str]:
    """The names in braces, in alphabetical order. Raises ValueError for a brace that is left open."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def _texts(language: str) -> dict[str, str]:
    """The texts as they stand in the files. Raises ValueError where two have one key, or a file is no TOML."""
    texts: dict[str, str] = {}
    for file in sorted(files(language)):  # so that a table has its keys in the same order in all languages
        for table, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for key, text in entries.items():
                if f"{table}.{key}" in texts:
                    raise ValueError(f"{file}: {table}.{key} stands in another file too")
                texts[f"{table}.{key}"] = _RANGE.sub("–\u2060", text)  # no line break inside
    return {key: text for key, text in texts.items() if text.strip()}  # an empty one waits for its translator


def files(language: str) -> Iterator[Path]:
    """The files of a language's texts."""
    yield from (path for path in (_FIGURES / f"{language}.toml",) if path.is_file())
    yield from _PAGES.glob(f"*/words/{language}.toml")
    folder = languages.language(language).folder
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
    return (" " if languages.language(language()).spaces else "").join(filter(None, texts))


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
