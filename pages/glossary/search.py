"""Finding terms: the one that a link names, and those that a search finds, in any language of the app."""

import re
import unicodedata

from model.tokenization.simplified import simplified
from pages.glossary.entries import TERMS
from pages.shared.session import language_choice
from pages.shared.text.words import all_texts, words
from viz.html.prose import MARK

_UNNAMED = 3  # the rank of a term that the query does not name


def term(text: str) -> str | None:
    """The term of that key, or of that name in any language; None if there is none."""
    folded_text = _folded(simplified(text))
    return next((each for each in TERMS if folded_text in map(_folded, [each, *_names(each)])), None)


def groups(query: str) -> dict[str, list[str]]:
    """Terms for a query, by heading: those with it in a name or an alias, best first, then those that mention it.

    A term of exactly that name comes first, then those whose name holds it, then those of which an alias does.
    """
    folded_query = _folded(simplified(query))
    if not folded_query:
        return {}
    ranks = {each: _rank(folded_query, each) for each in TERMS}
    by_name = sorted((each for each in TERMS if ranks[each] < _UNNAMED), key=ranks.__getitem__)
    in_text = [
        each for each in TERMS if ranks[each] == _UNNAMED and folded_query in _folded(" ".join(_texts(each, "text")))
    ]
    by_heading = {words("glossary.named"): by_name, words("glossary.mentioned"): in_text}
    return {heading: terms for heading, terms in by_heading.items() if terms}


def _rank(query: str, term: str) -> int:
    """How well a term fits: 0 is best, `_UNNAMED` not at all."""
    names, others = _texts(term, "name"), [term, *_names(term)]
    if query in map(_folded, others):
        return 0
    for rank, texts in enumerate((names, others), 1):
        if any(query in _folded(name) for name in texts):
            return rank
    return _UNNAMED


def _folded(text: str) -> str:
    """How a name is compared: "KV 缓存" and "ＫＶ缓存" are the same, and so are "atención" and "Atencion"."""
    letters = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.sub(r"[\s\-_·]", "", "".join(letters)).casefold()


def _names(term: str) -> list[str]:
    """The names and aliases of a term in all languages."""
    aliases = [alias.strip() for text in _texts(term, "aliases") for alias in text.replace("、", ",").split(",")]
    return [*_texts(term, "name"), *aliases]


def _texts(term: str, part: str) -> list[str]:
    """A part of an entry in all languages, its marked terms as plain words."""
    return [_plain(all_texts(language), f"term_{term}.{part}") for language in language_choice.names()]


def _plain(texts: dict[str, str], key: str) -> str:
    return MARK.sub(lambda mark: mark[2] or texts[f"term_{mark[1]}.name"], texts[key])
