"""Lessons: an ordered list of views, each with a short text for the class and a note for the teacher.

Ours are the files of `pages/content/lessons/`; their texts are in `pages/content/words/lessons/`. A teacher's own
travels in a link (`packed`) or a file (`to_json`).
"""

from __future__ import annotations

import base64
import binascii
import json
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

from classroom.limits import MINUTES
from classroom.texts import clean
from model.errors import InvalidInput
from pages.shared.links import view_of
from pages.shared.session import language_choice
from pages.shared.text import untranslated
from pages.shared.text.words import CONTENT
from viz.languages import FIRST, texts_of

PARTS = 40  # of a lesson
TEXT = 600  # characters of one text
VIEW = 1_500  # characters of a view
PACKED = 12_000  # characters of a link
_UNPACKED = 200_000  # bytes of what a link or a file holds
Text = dict[str, str]  # by language


@dataclass(frozen=True)
class Part:
    """One view (`attention?head=3`), what the class reads, and what the teacher has to remember.

    Where the text speaks of a sentence, each language has a view of its own, with the model that reads it.
    """

    view: str | Text
    minutes: float = 3
    says: Text = field(default_factory=dict)
    notes: Text = field(default_factory=dict)

    def view_in(self, language: str) -> str:
        """The view for a class in this language."""
        return self.view if isinstance(self.view, str) else self.view.get(language) or _other(self.view)


@dataclass(frozen=True)
class Lesson:
    """Views in their order."""

    title: Text
    about: Text = field(default_factory=dict)
    parts: tuple[Part, ...] = ()

    @property
    def minutes(self) -> float:
        """How long it takes."""
        return sum(part.minutes for part in self.parts)


def in_language(text: Mapping[str, str], language: str) -> str:
    """A text in this language, else in English, else in one that it was written in."""
    if own := text.get(language):
        return own
    other = _other(text)
    if other == text.get(FIRST):
        untranslated.note(other)
    return other


def _other(text: Mapping[str, str]) -> str:
    return text.get(FIRST) or next((other for other in text.values() if other), "")


@cache
def shipped() -> dict[str, Lesson]:
    """Our lessons by name, the shortest first."""
    files = (CONTENT / "lessons").glob("*.toml")
    contents = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}
    lessons = {name: read(_with_texts(name, content)) for name, content in contents.items()}
    return dict(sorted(lessons.items(), key=lambda item: item[1].minutes))


def _with_texts(name: str, content: dict[str, Any]) -> dict[str, Any]:
    """The content of a lesson of ours with its texts, and with `says_0`, `notes_0` and so on as those of its parts."""
    of = {code: texts_of(code, "pages/content/words/lessons") for code in language_choice.names()}

    def said(key: str) -> Text:
        return {code: texts[f"lesson_{name}.{key}"] for code, texts in of.items() if f"lesson_{name}.{key}" in texts}

    parts = [
        part | {key: said(f"{key}_{number}") for key in ("says", "notes")}
        for number, part in enumerate(content["parts"])
    ]
    return {"title": said("title"), "about": said("about"), "parts": parts}


def with_view(lesson: Lesson, view: str) -> Lesson:
    """The lesson with one more view at its end."""
    if len(lesson.parts) >= PARTS:
        raise InvalidInput("lesson_parts", limit=PARTS)
    return replace(lesson, parts=(*lesson.parts, Part(_view(view))))


def moved(lesson: Lesson, at: int, by: int) -> Lesson:
    """The lesson with a part further up or down; at its ends it stays."""
    parts = list(lesson.parts)
    to = min(max(at + by, 0), len(parts) - 1)
    parts.insert(to, parts.pop(at))
    return replace(lesson, parts=tuple(parts))


def without(lesson: Lesson, at: int) -> Lesson:
    """The lesson without a part."""
    return replace(lesson, parts=tuple(part for number, part in enumerate(lesson.parts) if number != at))


def to_json(lesson: Lesson) -> str:
    """A lesson as a file."""
    return json.dumps(asdict(lesson), ensure_ascii=False, indent=1)


def from_json(text: str | bytes) -> Lesson:
    """The lesson of a file; raises `InvalidInput` for what is none."""
    if len(text) > _UNPACKED:
        raise InvalidInput("lesson_unread")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("lesson_unread") from None
    return read(content)


def packed(lesson: Lesson) -> str:
    """A lesson as a part of a link."""
    content = json.dumps(asdict(lesson), ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")


def unpacked(text: str) -> Lesson:
    """The lesson of a link: one of ours by its name, or a packed one; raises `InvalidInput` for what is neither."""
    if text in shipped():
        return shipped()[text]
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        content = zlib.decompressobj().decompress(data, _UNPACKED)
    except (binascii.Error, zlib.error, ValueError):
        raise InvalidInput("lesson_unread") from None
    return from_json(content)


def read(content: Any) -> Lesson:
    """A lesson from JSON values, held to the limits; raises `InvalidInput` for what is none."""
    try:
        parts = tuple(
            Part(_view(part["view"]), _minutes(part["minutes"]), texts(part["says"]), texts(part["notes"]))
            for part in content["parts"]
        )
        lesson = Lesson(texts(content["title"]), texts(content.get("about", {})), parts)
    except (KeyError, TypeError, AttributeError):
        raise InvalidInput("lesson_unread") from None
    if len(lesson.parts) > PARTS:
        raise InvalidInput("lesson_parts", limit=PARTS)
    return lesson


def _view(view: Any) -> str | Text:
    if isinstance(view, dict):
        return {language: view_of(text) for language, text in texts(view, VIEW).items()}
    return view_of(_short(view, VIEW))


def texts(given: Mapping[str, Any], limit: int = TEXT) -> Text:
    """Texts by language, held to `limit`, of the languages that the app speaks."""
    return {language: _short(text, limit) for language, text in given.items() if language in language_choice.names()}


def _short(text: Any, limit: int) -> str:
    if not isinstance(text, str):
        raise InvalidInput("lesson_unread")
    if len(text) > limit:
        raise InvalidInput("class_long", limit=limit)
    return clean(text)


def _minutes(value: Any) -> float:
    if not isinstance(value, (int, float)) or not 0 < value <= MINUTES:
        raise InvalidInput("class_minutes", limit=MINUTES)
    return value
