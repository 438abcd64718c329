"""Every word that a person reads, in their language: `words("start.title")`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from model.errors import InvalidInput
from pages.shared.session.view import language

_PAGES = Path(__file__).parents[2]
_FIGURES = _PAGES.parent / "viz" / "words"
NAMES = ("id", "seed", "year")  # values that name something and count nothing
CONTENT = _PAGES / "content"
_RANGE = re.compile(r"(?<=[\d%}])–(?=[\d{−])")  # 0–1, or between two placeholders


@cache
def all_texts(language: str) -> dict[str, str]:
    """All keys of a language, flat, dotted: of figures, of what pages share, of each page. A key stands in one file."""
    texts: dict[str, str] = {}
    pages = _PAGES.glob(f"*/words/{language}.toml")
    files = (_FIGURES / f"{language}.toml", *(CONTENT / language).glob("*.toml"), *pages)
    for file in sorted(files):  # so that a table has its keys in the same order in all languages
        for table, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for key, text in entries.items():
                if f"{table}.{key}" in texts:
                    raise ValueError(f"{file}: {table}.{key} stands in another file too")
                texts[f"{table}.{key}"] = _RANGE.sub("–\u2060", text)  # no line break inside
    return texts


def words(key: str, **values: object) -> str:
    """The text of a key in the user's language, its {placeholders} filled."""
    return filled(all_texts(language())[key], values)


def sentences(*texts: str) -> str:
    """Sentences one after the other, with a space between them where the language has one; none of empty ones."""
    return ("" if language() == "zh" else " ").join(filter(None, texts))


def filled(template: str, values: Mapping[str, object]) -> str:
    """The text with its {placeholders} filled; whole numbers with separated thousands, but for those that only name."""
    if not values:
        return template
    counts = {name: f"{n:,}" for name, n in values.items() if type(n) is int and name not in NAMES}
    return template.format(**{**values, **counts})


def name(table: str, key: str) -> str:
    """The user's word for a name that a card uses; a card of somebody else's may use names we have no word for."""
    return all_texts(language()).get(f"{table}.{key}", key)


def section(prefix: str, of: str | None = None) -> dict[str, str]:
    """All texts under `prefix.`, by the rest of their keys, placeholders left open; `of` a language, or the user's."""
    return dict(_section(prefix, of or language()))


@cache
def _section(prefix: str, language: str) -> dict[str, str]:
    start = f"{prefix}."
    return {key.removeprefix(start): text for key, text in all_texts(language).items() if key.startswith(start)}


def refusal(error: InvalidInput) -> str:
    """The sentence of a refusal in the user's language; English ones come with the error itself."""
    template = all_texts(language()).get(f"refused.{error.code}")
    if template is None:
        return str(error)
    values = {key: refusal(value) if isinstance(value, InvalidInput) else value for key, value in error.values.items()}
    return template.format(**values)
