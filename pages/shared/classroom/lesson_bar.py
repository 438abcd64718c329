"""The line of a lesson above every page, for those who give one or make one."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress

from model.errors import InvalidInput
from pages.shared.classroom import lessons, my_class, my_lesson
from pages.shared.load.component_code import component
from pages.shared.session import script_run, view, widgets
from pages.shared.session.base_path import base
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from viz.components.classroom.lesson_bar import FRONTEND, editing_data, playing_data

_bar = component("lesson_bar", FRONTEND)


def lesson_bar() -> None:
    """Draw it; the browser turns the pages of the lesson by itself."""
    own = my_lesson.mine()
    if own.editing and own.draft is not None:
        _draw(_editing(lessons.read(own.draft)))
    elif own.playing:
        try:
            _draw(_playing(own.playing, own.time))
        except InvalidInput:  # of another version
            my_lesson.change(playing="")
    if ended := view.kept("lesson_ended"):
        notices.say("info", ended)
        view.keep(lesson_ended=None)


def _draw(data: str) -> None:
    _bar(data=data, key="lesson_bar", on_add_change=widgets.heard("lesson_bar", "add", _add), on_end_change=_end)
    if problem := view.kept("lesson_problem"):
        notices.say("warning", problem)
        view.keep(lesson_problem=None)


def _playing(text: str, time: str) -> str:
    lesson, language = lessons.unpacked(text), view.language()
    parts = [
        {
            "view": part.view_in(language),
            "minutes": part.minutes,
            "says": lessons.in_language(part.says, language),
            "texts": {  # for students, in the languages that speak of this view
                code: text for code, text in part.says.items() if part.view_in(code) == part.view_in(language)
            },
            "notes": lessons.in_language(part.notes, language),
        }
        for part in lesson.parts
    ]
    id_ = hashlib.sha256(f"{time} {text}".encode()).hexdigest()[:16]
    title = lessons.in_language(lesson.title, language)
    return playing_data(id_, title, parts, base=base(), words=section("lesson_bar"))


def _editing(lesson: lessons.Lesson) -> str:
    title = lessons.in_language(lesson.title, view.language()) or words("lessons.mine")
    addable = view.view().page != "class"
    return editing_data(title, len(lesson.parts), addable=addable, base=base(), words=section("lesson_bar"))


def _add(message: str | None) -> None:
    """Put the view that the browser shows at the end of the lesson."""
    own = my_lesson.mine()
    if message and own.draft is not None:
        try:
            lesson = lessons.with_view(lessons.read(own.draft), str(json.loads(message)["view"]))
            my_lesson.change(draft=json.loads(lessons.to_json(lesson)))
        except InvalidInput as error:
            view.keep(lesson_problem=refusal(error))
    script_run.redraw_page()


def _end() -> None:
    if text := my_lesson.mine().playing:
        me = my_class.membership()
        key = "lessons.ended" if me and me.teacher and not me.ended else "lessons.ended_alone"
        with suppress(InvalidInput):  # of another version
            title = lessons.in_language(lessons.unpacked(text).title, view.language()) or words("lessons.mine")
            view.keep(lesson_ended=words(key, title=title))
    my_lesson.change(playing="", editing=False)
    script_run.redraw_page()
