"""A lesson as slides in one HTML file: each view is drawn once, without a browser, for the figures on its slide."""

from __future__ import annotations

from collections.abc import Callable

from pages.shared.classroom import lessons
from pages.shared.classroom.lessons import Lesson
from pages.shared.session import base_path, language_choice, unattended, view
from pages.shared.session.page_list import HOME, pages
from pages.shared.text.words import words
from pages.shared.ui.downloads import drawn, file_menu
from pages.shared.ui.downloads.file_menu import File
from viz.standalone.document import Part, Slide, Text, deck


def link(key: str, lesson: Lesson) -> None:
    """The link that makes the file: some seconds for a lesson of ten views."""
    file_menu.links([File(f"slides_{key}", words("lessons.slides"), "lesson.html", "text/html", _maker(lesson))])


def _maker(lesson: Lesson) -> Callable[[], bytes]:
    language, origin = view.language(), base_path.origin()
    title = lessons.in_language(lesson.title, language) or words("lessons.mine")
    settings = {key: str(value) for key, value in view.choices().items() if key in ("language", "visible") and value}
    draw = unattended.drawer(drawn.Drawn, **(settings | {"language": language}))
    texts = {name: words(f"lessons.slide_{name}") for name in ("back", "next", "slide")}
    missing, about = words("lessons.no_figure"), (words("take.open"), words("take.licence"))

    def slide(part: lessons.Part) -> Slide:
        page, _, query = part.view_in(language).partition("?")
        page_name = page if page in pages() else HOME
        address = f"{'' if page_name == HOME else page_name}?{query}"
        page_record = draw(address)
        parts = _shown(page_record.page.parts()) if page_record else []
        return Slide(
            page_record.title if page_record else title,
            parts or [Text(missing, "caption")],
            lessons.in_language(part.says, language),
            drawn.about(
                *((page_record.entry, page_record.sentence) if page_record else (None, "")),
                f"{origin}/{address}",
                about,
            ),
        )

    def make() -> bytes:
        slides = [slide(part) for part in lesson.parts]
        return deck(title, slides, texts, language_choice.tag(language)).encode()

    return make


def _shown(parts: list[Part]) -> list[Part]:
    """Parts of a slide: figures with their headings, and formulas. The lesson's own text says the rest."""
    visible: list[Part] = []
    for part in parts:
        heading = isinstance(part, Text) and part.look == "heading"
        if heading and visible and isinstance(visible[-1], Text):
            visible.pop()
        if heading or not isinstance(part, Text):
            visible.append(part)
    while visible and isinstance(visible[-1], Text):
        visible.pop()
    return visible
