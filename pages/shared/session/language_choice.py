"""The languages of the app: which one a user gets, and which one a route of ours speaks."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from starlette.requests import HTTPConnection

from viz.languages import CODE, FIRST, Language, languages

COOKIE = "glassformer_language"  # the language that was chosen last in a browser
KEPT = 365 * 24 * 3600  # seconds that the browser keeps it
_of_route: ContextVar[str] = ContextVar("language", default="")


def names() -> dict[str, str]:
    """Every language of the app: its code, and its own name."""
    return {code: each.name for code, each in languages().items()}


def language(code: str) -> Language:
    """What is known of a language of the app."""
    return languages()[code]


def tag(code: str) -> str:
    """The HTML tag of a language, for the browser and for screen readers; also of one that only models speak."""
    return languages()[code].tag if code in languages() else code


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Texts in this language, where no session is at hand: in a route of ours."""
    before = _of_route.set(language)
    try:
        yield
    finally:
        _of_route.reset(before)


def spoken() -> str:
    """The language that `speaking` has set, or ""."""
    return _of_route.get()


def tags_of(card: Mapping[str, object]) -> dict[str, str]:
    """The HTML tag of the language of a model's source and of its target; empty where its card names none."""
    codes = {side: str(card.get(f"{side}_language", "")) for side in ("source", "target")}
    return {side: tag(code) if CODE.fullmatch(code) else "" for side, code in codes.items()}


def preferred(locale: str | None) -> str:
    """The first language of a browser's list that the app offers unasked, in the list's order of preference."""
    wanted = (each.partition("-")[0].lower() for each in _by_preference(locale or ""))
    return next((code for code in wanted if code in languages() and languages()[code].preferred), FIRST)


def _by_preference(locale: str) -> list[str]:
    """The languages of a header such as `es-MX,es;q=0.9,en;q=0.8`, the most wanted first."""
    entries = [entry.replace(" ", "").partition(";q=") for entry in locale.split(",")]
    return [name for name, _, weight in sorted(entries, key=lambda entry: -_weight(entry[2])) if _weight(weight)]


def _weight(text: str) -> float:
    return float(text) if re.fullmatch(r"\d(\.\d{0,3})?", text) else 1.0


def first_of(*codes: str, locale: str | None) -> str:
    """The first of these that the app speaks, else the language that the browser prefers."""
    return next((code for code in codes if code in languages()), None) or preferred(locale)


def named(url: Mapping[str, str], chosen: str) -> str:
    """The language that an address names, or "". The link of a class only proposes one: it leaves that of a browser in
    which somebody has `chosen` one."""
    is_of_class = "room" in url or "class" in url
    return "" if is_of_class and chosen in languages() else url.get("language", "")


def of_request(request: HTTPConnection) -> str:
    """The language that an address names, else the one chosen last in this browser, else the browser's own."""
    chosen = request.cookies.get(COOKIE, "")
    return first_of(named(request.query_params, chosen), chosen, locale=request.headers.get("accept-language"))
