"""The languages of the app: which one a browser asks for, and which one a route of ours speaks."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

LANGUAGES = {"en": "English", "zh": "中文"}
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


def asked_for(code: str, locale: str | None) -> str:
    """The language that an address names, else the one that the browser prefers."""
    return code if code in LANGUAGES else preferred(locale)
