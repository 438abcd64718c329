"""Data of a class: it is deleted by itself, without anybody who starts another one."""

import threading
import time

import pytest
from sqlalchemy import func, select

from classroom import keys, limits
from classroom.classrooms import Classrooms
from classroom.tables import Classroom, Member
from pages.shared.classroom import my_class


def count(store: Classrooms, table: type[Classroom] | type[Member]) -> int:
    with store.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_an_old_class_is_deleted_and_a_new_one_stays(store: Classrooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_class, "EVERY", 0.01)
    today = store.create(keys.key_of("teacher of today"), "New")
    store.join(keys.key_of("ada of today"), today.code)
    clock, store.clock = store.clock, lambda: time.time() - limits.DAY - 1
    store.create(keys.key_of("teacher of yesterday"), "Old")
    store.clock = clock
    assert (count(store, Classroom), count(store, Member)) == (2, 3)
    end = threading.Event()
    my_class.delete_regularly(end)
    deadline = time.monotonic() + 10
    while count(store, Classroom) > 1:
        assert time.monotonic() < deadline
    end.set()
    assert count(store, Member) == 2
