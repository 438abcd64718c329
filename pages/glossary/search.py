"""Finding terms: the one that a link names, and those that a search finds, in either language."""

from pages.glossary.entries import TERMS
from pages.shared.session.languages import LANGUAGES
from pages.shared.text.words import catalogue, words
from pages.shared.ui.terms import MARK


def term(asked: str) -> str | None:
    """The term of that key, or of that name in either language; None if there is none."""
    wanted = asked.strip().lower()
    spelled = wanted.replace(" ", "-")
    return next((each for each in TERMS if spelled == each or wanted in map(str.lower, _names(each))), None)


def groups(query: str) -> dict[str, list[str]]:
    """What a search finds, by heading: terms with it in a name before those with it in a text."""
    wanted = query.lower()
    named = [each for each in TERMS if wanted in " · ".join([each, *_names(each)]).lower()]
    mentioned = [each for each in TERMS if each not in named and wanted in " ".join(_texts(each, "text")).lower()]
    by_heading = {words("glossary.named"): named, words("glossary.mentioned"): mentioned}
    return {heading: terms for heading, terms in by_heading.items() if terms}


def _names(term: str) -> list[str]:
    """The names and aliases of a term in all languages."""
    aliases = [alias.strip() for text in _texts(term, "aliases") for alias in text.replace("、", ",").split(",")]
    return [*_texts(term, "name"), *aliases]


def _texts(term: str, part: str) -> list[str]:
    """A part of an entry in all languages, its marked terms as plain words."""
    return [_plain(catalogue(language), f"term_{term}.{part}") for language in LANGUAGES]


def _plain(texts: dict[str, str], key: str) -> str:
    return MARK.sub(lambda mark: mark[2] or texts[f"term_{mark[1]}.name"], texts[key])
