"""The texts that a live page travels with: those of the app, and a few of its own, that its script asks for."""

import re
from functools import cache
from pathlib import Path

from viz.components.js_bundle import bundle
from viz.html.prose import MARK
from viz.languages import APP, FIRST, languages, texts_of

_ROOT = Path(__file__).parents[1]
_BLANK = re.compile(r"\$\{[^`{}]*\}")


def speaks() -> dict[str, dict[str, object]]:
    """What a page has to know of each language, by its code."""
    return {
        code: {"short": each.short, "name": each.name, "tag": each.tag, "direction": each.direction,
               "spaces": each.spaces, "preferred": each.preferred}
        for code, each in languages().items()
    }  # fmt: skip


def texts(language: str, script: str = "page/page.js") -> dict[str, str]:
    """Texts that a script of `live/frontend/` asks for, by `table.key`."""
    known, asked = _catalogue(language), re.compile("|".join(asked_by(script)))
    return {key: _plain(text, known) for key, text in known.items() if asked.fullmatch(key)}


@cache
def asked_by(script: str) -> list[str]:
    """What the script asks for, each an expression that keys match.

    It names a key in quotes, a key with blanks (`` `labels.hint_${kind}` ``), or a table, by `section` or `named`.
    """
    code = bundle(f"live/frontend/{script}", _ROOT)
    keys = re.findall(r'"([a-z]\w*\.[\w-]+)"', code)
    tables = re.findall(r'\b(?:section|named)\("(\w+)"', code)
    patterns = re.findall(rf"`([a-z](?:\w|{_BLANK.pattern})*\.(?:[\w-]|{_BLANK.pattern})+)`", code)
    spelled = [r"[\w-]+".join(map(re.escape, _BLANK.split(each))) for each in (*keys, *patterns)]
    return sorted({*spelled, *(rf"{table}\..+" for table in tables)})


def template(language: str, key: str) -> str:
    """A text as it is written, with its blanks and marked terms. Raises KeyError if the app has no such text."""
    return _catalogue(language)[key]


def table(language: str, name: str) -> dict[str, str]:
    """All texts of a table as they are written, by the rest of their keys."""
    start = f"{name}."
    return {key.removeprefix(start): text for key, text in _catalogue(language).items() if key.startswith(start)}


def _plain(text: str, known: dict[str, str]) -> str:
    """A text without links to the glossary, which stays in the app."""
    return MARK.sub(lambda term: term[2] or known[f"term_{term[1]}.name"], text)


@cache
def _catalogue(language: str) -> dict[str, str]:
    """All texts of the app and of live pages, in English those that the language lacks."""
    return texts_of(FIRST, "live/words", *APP) | texts_of(language, "live/words", *APP)
