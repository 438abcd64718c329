"""A lesson as slides in one HTML file: each view is drawn once, without a browser, for the figures on its slide."""

from __future__ import annotations

from collections.abc import Callable

from pages.shared.classroom import lessons
from pages.shared.classroom.lessons import Lesson
from pages.shared.session import base_path, languages, unattended, view
from pages.shared.session.page_list import HOME, pages
from pages.shared.text.words import words
from pages.shared.ui import record
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.downloads.file_menu import File
from viz.standalone.document import Part, Slide, Text, deck


def link(key: str, lesson: Lesson) -> None:
    """The link that makes the file: some seconds for a lesson of ten views."""
    file_menu.links([File(f"slides_{key}", words("lessons.slides"), "lesson.html", "text/html", _maker(lesson))])


def _maker(lesson: Lesson) -> Callable[[], bytes]:
    language, origin = view.language(), base_path.origin()
    title = lessons.in_language(lesson.title, language) or words("lessons.mine")
    kept = {key: str(value) for key, value in view.choices().items() if key in ("language", "visible") and value}
    draw = unattended.drawer(record.Record, **(kept | {"language": language}))
    texts = {name: words(f"lessons.slide_{name}") for name in ("back", "next", "slide")}
    missing, about = words("lessons.no_figure"), (words("take.open"), words("take.licence"))

    def slide(part: lessons.Part) -> Slide:
        page, _, query = part.view_in(language).partition("?")
        known = page if page in pages() else HOME
        asked = f"{'' if known == HOME else known}?{query}"
        drawn = draw(asked)
        shown = _shown(drawn.page.parts()) if drawn else []
        return Slide(
            drawn.title if drawn else title,
            shown or [Text(missing, "caption")],
            lessons.in_language(part.says, language),
            record.about(*((drawn.entry, drawn.sentence) if drawn else (None, "")), f"{origin}/{asked}", about),
        )

    def make() -> bytes:
        slides = [slide(part) for part in lesson.parts]
        return deck(title, slides, texts, languages.TAGS[language]).encode()

    return make


def _shown(parts: list[Part]) -> list[Part]:
    """Parts of a slide: figures with their headings, and formulas. The lesson's own text says the rest."""
    shown: list[Part] = []
    for part in parts:
        heading = isinstance(part, Text) and part.look == "heading"
        if heading and shown and isinstance(shown[-1], Text):
            shown.pop()
        if heading or not isinstance(part, Text):
            shown.append(part)
    while shown and isinstance(shown[-1], Text):
        shown.pop()
    return shown
