"""Which of the models that are shown first a sentence is for: that of the user's language, or that of all others."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from model.checkpoint import catalogue, language_fit
from model.errors import InvalidInput


def language_of(text: str, languages: Iterable[str] = tuple(catalogue.FIRST_FOR)) -> str:
    """The first of some languages that a text is in rather than in that of `catalogue.FIRST`; "" if there is none.

    A text without letters is in none. Where both languages have the same script, the words decide: more of them must
    be known to the model of the language, since a link that is older than this model means the other one.
    """
    return next((language for language in languages if _is_in(language, text)), "")


def _is_in(language: str, text: str) -> bool:
    if not language_fit.first_language(text, [language]):
        return False
    entries = catalogue.sentence_models()
    names = catalogue.FIRST_FOR[language], catalogue.FIRST
    if not all(name in entries for name in names):
        return True
    first = entries[catalogue.FIRST]
    if not language_fit.first_language(text, [_source(first)]):
        return True
    own, other = (_known(entries[name], text) for name in names)
    return own > other


def _source(entry: catalogue.Entry) -> str:
    with suppress(InvalidInput):
        return str(entry.card.get("source_language", ""))
    return ""


def _known(entry: catalogue.Entry, text: str) -> float:
    """The share of the words that a model knows; 0 of a damaged one."""
    with suppress(InvalidInput):
        return _reader(entry.folder, entry.fingerprint).known(text)
    return 0.0


@lru_cache(8)
def _reader(folder: Path, _fingerprint: str) -> language_fit.KnownWords:
    entry = catalogue.entry_of(folder)
    return language_fit.KnownWords(entry.name, _source(entry), "", catalogue.load_tokenizer(entry))
