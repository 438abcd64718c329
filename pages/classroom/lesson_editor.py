"""The editor of the teacher's own lesson: texts, order, link and file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from urllib.parse import urlencode

import streamlit as st

from model.errors import InvalidInput
from pages.classroom import slides
from pages.shared.classroom import lessons, my_lesson
from pages.shared.classroom.lessons import Lesson, Part
from pages.shared.layout import page
from pages.shared.session import language_choice, script_run, view, widgets
from pages.shared.session.base_path import origin
from pages.shared.session.page_list import HOME
from pages.shared.text import notices
from pages.shared.text.words import name, refusal, words
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.downloads.file_menu import File

BESIDE = 3  # texts in other languages


def editor() -> None:
    """The draft, or the way to begin one."""
    own = my_lesson.mine()
    with page.card("figure_my_lesson", words("lessons.mine"), words("lessons.mine_about")):
        if problem := view.kept("lesson_file"):
            notices.say("warning", problem)
        if own.draft is None:
            st.button(words("lessons.begin"), key="lesson_begin", on_click=keep, args=(Lesson({}),))
        else:
            _draft(lessons.read(own.draft), own.editing)
        st.file_uploader(words("lessons.upload"), type="json", key="lesson_upload", on_change=_upload)


def _draft(lesson: Lesson, editing: bool) -> None:
    _text("lesson_title", words("lessons.title"), lesson.title, lambda texts: replace(lesson, title=texts))
    if not lesson.parts:
        st.caption(words("lessons.empty"))
    for at, part in enumerate(lesson.parts):
        _part(lesson, at, part)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if lesson.parts:
            st.button(words("lessons.give"), key="give_mine", type="primary", on_click=_give, args=(lesson,))
        if not editing:
            st.button(words("lessons.add"), key="lesson_add", on_click=keep, args=(lesson,))
        content = lessons.to_json(lesson).encode()
        file_menu.links(
            [File("lesson_file", words("lessons.file"), "lesson.json", "application/json", lambda: content)]
        )
        if lesson.parts:
            slides.link("mine", lesson)
        st.button(words("lessons.delete"), key="lesson_delete", type="tertiary", on_click=_delete)
    text = lessons.packed(lesson)
    if lesson.parts and len(text) <= lessons.PACKED:
        st.caption(words("lessons.link"))
        st.code(f"{origin()}/class?{urlencode({'show': 'lessons', 'lesson': text})}", language=None)


def _part(lesson: Lesson, at: int, part: Part) -> None:
    title = name("pages", part.view_in(view.language()).partition("?")[0] or HOME)
    with st.expander(f"{at + 1} · {notices.plain(title)}"):
        st.number_input(
            words("lessons.part_minutes"), min_value=0.5, max_value=float(lessons.MINUTES), step=0.5,
            **widgets.held(
                f"lesson_min_{at}", float(part.minutes),
                lambda minutes: keep(_with(lesson, at, replace(part, minutes=minutes))),
            ),
        )  # fmt: skip
        _text(
            f"lesson_says_{at}", words("lessons.says"), part.says,
            lambda texts: _with(lesson, at, replace(part, says=texts)),
        )  # fmt: skip
        _text(
            f"lesson_notes_{at}", words("lessons.notes"), part.notes,
            lambda texts: _with(lesson, at, replace(part, notes=texts)),
        )  # fmt: skip
        with st.container(horizontal=True, gap="small"):
            last = len(lesson.parts) - 1
            _button("up", at, "↑", lessons.moved(lesson, at, -1), disabled=at == 0)
            _button("down", at, "↓", lessons.moved(lesson, at, 1), disabled=at == last)
            _button("remove", at, "✕", lessons.without(lesson, at))


def _button(act: str, at: int, mark: str, result: Lesson, disabled: bool = False) -> None:
    label = f"{mark} {words(f'lessons.{act}')}"
    st.button(label, key=f"lesson_{act}_{at}", disabled=disabled, on_click=keep, args=(result,))


def _text(key: str, label: str, texts: lessons.Text, change: Callable[[lessons.Text], Lesson]) -> None:
    """A text in all languages, beside each other as far as there is room; some of them may stay empty."""
    names = language_choice.names()
    columns = st.columns(min(len(names), BESIDE))
    for column, (language, language_name) in zip(cycle(columns), names.items()):

        def take(text: str, language: str = language) -> None:
            keep(change({**texts, language: text}))

        column.text_area(
            f"{label} · {language_name}", max_chars=lessons.TEXT, height=70,
            **widgets.held(f"{key}_{language}", texts.get(language, ""), take),
        )  # fmt: skip


def _with(lesson: Lesson, at: int, part: Part) -> Lesson:
    parts = list(lesson.parts)
    parts[at] = part
    return replace(lesson, parts=tuple(parts))


def keep(lesson: Lesson) -> None:
    """Keep the draft, and show on every page that it can be added to."""
    my_lesson.change(draft=json.loads(lessons.to_json(lesson)), editing=True)
    script_run.redraw_page()


def _give(lesson: Lesson) -> None:
    text = lessons.packed(lesson)
    my_lesson.give(text)
    view.keep(give=text)
    script_run.redraw_page()


def _delete() -> None:
    my_lesson.change(draft=None, editing=False)
    script_run.redraw_page()


def _upload() -> None:
    file = widgets.sent("lesson_upload")
    if file is None:
        return
    try:
        keep(lessons.from_json(file.getvalue()))
        view.keep(lesson_file=None)
    except InvalidInput as error:
        view.keep(lesson_file=refusal(error))
    script_run.redraw_page()
