"""The class that a user is in, as a teacher or as a student. `classroom/` keeps it in a database.

A browser is found by its cookie (`user.py`), so a student who reloads the page, or whose server was replaced by
another one, is still in the class. No page waits for a database that is locked, full or away: what it reads it believes
for longer, and what students type and answer is kept until it can be written (`outbox`).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from classroom import keys
from model.errors import InvalidInput
from pages.shared.load import fair_use
from pages.shared.load.threads import regularly
from pages.shared.session.state import state
from pages.shared.session.user import AGE, user

if TYPE_CHECKING:
    from classroom.classrooms import Classrooms, Membership
    from classroom.slow_database.outbox import Outbox
    from classroom.slow_database.patient_reads import PatientReads
    from classroom.watch import Watch

T = TypeVar("T")
FRESH = 5.0  # seconds for which a session believes what it knows of its class
EVERY = 600.0  # seconds between two looks for classes that are old
LAST_WRITES = 5.0  # seconds that the end of the server waits for them
_opening = threading.Lock()


@dataclass
class Known:
    """State of the class as this session knows it."""

    membership: Membership | None = None
    asked: float = float("-inf")
    gone: bool = False  # whether they were in one, and it is gone or they were removed: not yet said
    typed: str = ""  # the sentence that the user has just typed, until the class is told


def classrooms() -> Classrooms:
    """All classes; raises `InvalidInput` where the database does not answer."""
    with _opening:
        return _open()


@cache
def _open() -> Classrooms:
    from classroom import database  # a quarter of a second that no first page should wait for
    from classroom.classrooms import Classrooms

    with answering():
        return Classrooms(database.connect(database.address(str(st.get_option("server.port")))))


@cache
def watch() -> Watch:
    """All classes, as browsers watch them."""
    from classroom.watch import Watch

    return Watch(classrooms())


@cache
def outbox() -> Outbox:
    """What students typed and answered, on its way into the database."""
    from classroom.slow_database.outbox import Outbox

    return Outbox()


@cache
def _reads() -> PatientReads:
    from classroom.slow_database.patient_reads import PatientReads

    return PatientReads()


def write_out() -> None:
    """At the end of the server: wait a moment for what is still to be written."""
    if outbox.cache_info().currsize and not outbox().flush(LAST_WRITES):
        logging.getLogger(__name__).error("what was typed last could not be written to the database of the classes")


def is_open() -> bool:
    """Whether the database is open, so that nobody waits for it."""
    return bool(_open.cache_info().currsize)


def open_early() -> None:
    """Open the database before anybody comes if it may hold classes; without one, when the first class is started."""
    from classroom import database

    if database.exists(str(st.get_option("server.port"))):
        try:
            classrooms()
        except InvalidInput:
            return  # it is tried again when somebody asks for a class


def delete_regularly(end: threading.Event) -> None:
    """Delete what is kept of old classes, and of users whose cookie has ended, until `end`."""

    def delete() -> None:
        from classroom import notes

        if is_open():
            with suppress(InvalidInput), answering():
                classrooms().delete_old()
                notes.delete_old(classrooms(), AGE)

    regularly(EVERY, "delete-old-classes", delete, end)


def key() -> str:
    """By which this user's browser asks our routes."""
    return keys.key_of(user())


@contextmanager
def answering() -> Iterator[None]:
    """Turns a database that does not answer into one sentence."""
    from classroom import database

    try:
        yield
    except database.FAILURES as error:
        logging.getLogger(__name__).error("the database of the classes does not answer: %s", error)
        raise InvalidInput("rooms_closed") from None


def ask(read: Callable[[], T]) -> T:
    """What `read` reads from the database; raises `InvalidInput` where it does not answer within a moment."""
    with answering():
        return _reads().ask(read)


def membership() -> Membership | None:
    """The class of this user, None for one who is in none; the last that is known while the database is away."""
    class_state = state(Known)
    if is_open() and time.monotonic() - class_state.asked > FRESH:
        own_key = key()
        with suppress(InvalidInput):
            before = class_state.membership
            _know(ask(lambda: classrooms().membership(own_key)))
            if before is not None and class_state.membership is None:  # unless they left, in another tab
                class_state.gone = not ask(lambda: classrooms().has_left(own_key, before.classroom))
    return class_state.membership


def is_gone() -> bool:
    """Whether the class of this user is gone, or they were removed from it; said once."""
    class_state = state(Known)
    gone, class_state.gone = class_state.gone, False
    return gone


def forget() -> None:
    """Believe nothing of what is known of the class: it may have ended."""
    state(Known).asked = float("-inf")


def start(title: str) -> None:
    """Start a class with this user as its teacher."""
    fair_use.take(fair_use.CLASSROOMS)
    with answering():
        _know(classrooms().create(key(), title))


def join(code: str, nickname: str) -> None:
    """Enter the class of the code that was typed."""
    _know(enter(key(), code, nickname, user()))


def enter(key: str, code: str, nickname: str, who: str) -> Membership:
    """Enter a class as the owner of a key. Wrong codes count for `who`, so that those of others keep nobody out."""
    fair_use.check(fair_use.CODES, who)
    with answering():
        try:
            return classrooms().join(key, code, nickname)
        except InvalidInput as error:
            if error.code == "class_unknown":
                fair_use.take(fair_use.CODES, who)
            raise


def leave() -> None:
    """Leave the class; a teacher ends it instead, and may leave when it has ended."""
    with answering():
        classrooms().leave(key())
        _know(classrooms().membership(key()))


def sees_pictures() -> bool:
    """Whether this user is of those who see figures as pictures while their class compares two versions of a lesson."""
    me = membership()
    return me is not None and not me.ended and (me.test_phase, me.group) == ("lesson", "picture")


def teacher() -> Membership:
    """This user as the teacher of a class; raises `InvalidInput` for everybody else."""
    me = membership()
    if me is None or not me.teacher:
        raise InvalidInput("class_teacher")
    return me


def end() -> None:
    """End the class that this user teaches."""
    if me := membership():
        with answering():
            classrooms().end(me)
            _know(classrooms().membership(key()))


def has_typed(sentence: str) -> None:
    """Remember that the user typed this sentence: the class is told when its output is there."""
    state(Known).typed = sentence


def is_writing(sentence: str) -> bool:
    """Whether the user is a student who has just typed this sentence, which the class is to be told."""
    return state(Known).typed == sentence and _student() is not None


def writer_of(sentence: str) -> Membership | None:
    """The student who has just typed this sentence, for the class to be told; it is told once."""
    class_state = state(Known)
    if not class_state.typed or class_state.typed != sentence:
        return None
    class_state.typed = ""
    return _student()


def answered(name: str, text: str, right: bool) -> None:
    """Count an answer in the quiz if the class is asked this question; `name` names it with its numbers."""
    if me := _student():
        # what is too long for the board is still an answer in the quiz
        outbox().send(lambda: classrooms().answer(me, text, name=name, right=right))


def _student() -> Membership | None:
    """This user as a student of a class that goes on."""
    me = membership()
    return me if me and not me.teacher and not me.ended else None


def _know(membership: Membership | None) -> None:
    class_state = state(Known)
    class_state.membership, class_state.asked = membership, time.monotonic()
    class_state.gone = class_state.gone and membership is None
