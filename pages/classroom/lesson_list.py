"""The lessons: ours, one from a link, and the teacher's own with its editor."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from model.errors import InvalidInput
from pages.classroom import lesson_editor, slides
from pages.shared.classroom import lessons, my_lesson
from pages.shared.classroom.lessons import Lesson
from pages.shared.layout import page
from pages.shared.session import address, script_run, view
from pages.shared.session.page_list import HOME, pages
from pages.shared.text import notices
from pages.shared.text.words import refusal, words


def show() -> None:
    """A lesson from a link first, then ours, then the teacher's own."""
    if lesson_to_give := view.kept("give"):  # a button was clicked: to its first view
        view.keep(give=None)
        open_view(lessons.unpacked(lesson_to_give).parts[0].view_in(view.language()))
    st.caption(words("lessons.give_about"))
    if lesson_of_link := view.setting("lesson"):
        try:
            _card("sent", lesson_of_link, lessons.unpacked(lesson_of_link))
        except InvalidInput as error:
            notices.say("warning", refusal(error))
    with st.container(key="lessons", gap="small"):
        for name, lesson in lessons.shipped().items():
            _card(name, name, lesson)
    lesson_editor.editor()


def _card(key: str, text: str, lesson: Lesson) -> None:
    language = view.language()
    title = lessons.in_language(lesson.title, language) or words("lessons.mine")
    about = words("lessons.minutes", minutes=f"{lesson.minutes:g}", count=len(lesson.parts))
    with page.card(f"figure_lesson_{key}", notices.plain(title), about):
        st.text(lessons.in_language(lesson.about, language))
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            if lesson.parts:
                st.button(words("lessons.give"), key=f"give_{key}", type="primary", on_click=_give, args=(text,))
            st.button(words("lessons.copy"), key=f"copy_{key}", on_click=lesson_editor.keep, args=(lesson,))
            if lesson.parts:
                slides.link(key, lesson)


def open_view(text: str) -> None:
    """Go to a view of a lesson, with what every link keeps."""
    name, _, query = text.partition("?")
    if name not in pages():
        name = HOME
    settings = {key: str(value) for key, value in view.choices().items() if key in ("language", "visible") and value}
    st.switch_page(address.script_of(name), query_params=dict(parse_qsl(query)) | settings)


def _give(text: str) -> None:
    my_lesson.give(text)
    view.keep(give=text)
    script_run.redraw_page()
