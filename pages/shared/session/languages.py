"""The languages of the app: which one a user gets, and which one a route of ours speaks."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from starlette.requests import HTTPConnection

LANGUAGES = {"en": "English", "zh": "中文"}
COOKIE = "glassformer_language"  # the language that was chosen last in a browser
KEPT = 365 * 24 * 3600  # seconds that the browser keeps it
TAGS = {"en": "en", "zh": "zh-CN"}  # of documents, for the browser and for screen readers
_CODE = re.compile("[a-z]{2,3}")  # a language as cards name it
_of_route: ContextVar[str] = ContextVar("language", default="")


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
    return {side: _tag(str(card.get(f"{side}_language", ""))) for side in ("source", "target")}


def _tag(language: str) -> str:
    return TAGS.get(language, language) if _CODE.fullmatch(language) else ""


def preferred(locale: str | None) -> str:
    """The language for a browser that asks for `locale`, or for a list of them in the order of preference."""
    return "zh" if (locale or "").lower().startswith("zh") else "en"


def first_of(*codes: str, locale: str | None) -> str:
    """The first of these that the app speaks, else the language that the browser prefers."""
    return next((code for code in codes if code in LANGUAGES), None) or preferred(locale)


def of_request(request: HTTPConnection) -> str:
    """The language that an address names, else the one chosen last in this browser, else the browser's own."""
    named, chosen = request.query_params.get("language", ""), request.cookies.get(COOKIE, "")
    return first_of(named, chosen, locale=request.headers.get("accept-language"))
