"""A database that is locked or full: classes are shown as they were, and what is sent is written later."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import OperationalError

from classroom import database, keys, notes
from classroom.classrooms import Classrooms, Membership
from classroom.slow_database.outbox import Outbox
from classroom.slow_database.patient_reads import PatientReads
from classroom.watch import NOTE_SEEN, Watch
from model.errors import InvalidInput
from tests.classroom.conftest import ADA, Clock

LONG = 30.0  # seconds, after which a test has failed


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WAIT", 0.1)
    monkeypatch.setattr(database, "_POSTGRESQL", {"options": "-c statement_timeout=100"})


@contextmanager
def locked(engine: Engine) -> Iterator[None]:
    """Another program holds the database, or with PostgreSQL its tables: there nobody reads either."""
    with engine.execution_options(writes=True).connect() as other, other.begin():
        if engine.dialect.name == "postgresql":
            other.execute(text("LOCK TABLE room, member, sentence, task, answer IN ACCESS EXCLUSIVE MODE"))
        yield


@contextmanager
def full(engine: Engine) -> Iterator[None]:
    """SQLite has no page left, which is what it says of a full disk too."""
    pages = 1

    def limit(connection, *_: object) -> None:  # type: ignore[no-untyped-def]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    connection = engine.raw_connection()
    connection.cursor().execute("VACUUM")  # pages of tables that a migration made anew are free
    connection.close()
    event.listen(engine, "checkout", limit)
    yield
    pages = 2**30


FAULTS = [locked, full]


def typed(classrooms: Classrooms, teacher: Membership) -> list[str]:
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    return [sentence["text"] for sentence in snapshot.board["sentences"]]


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_sent_meanwhile_is_written_in_its_order(
    fault: Callable, engine: Engine, classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    if fault is full and engine.dialect.name != "sqlite":
        pytest.skip("a limit of pages is SQLite's")
    task = classrooms.ask(teacher, "text", "Why?")
    outbox = Outbox(rest=0.01, patience=0, tries=1000)  # no write overtakes another
    texts = [f"{number} {'x' * 5000}" for number in range(3)]
    with fault(engine):
        for each in texts:
            outbox.send(lambda each=each: classrooms.type(ada, "de-en", each, "", "{}"))
        outbox.send(lambda: classrooms.answer(ada, "yes", task=task))
        assert not outbox.flush(0.3)
    assert outbox.flush(LONG)
    assert typed(classrooms, teacher) == texts
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert snapshot.board["asked"]["answers"] == [["yes", 1, None]]


def test_a_class_is_shown_as_it_was_while_its_database_is_locked(
    engine: Engine, classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    watch = Watch(classrooms)
    assert watch.owner(ADA) == (teacher.classroom, ada.member, False)
    before = watch.look(teacher.classroom, ada.member)
    with locked(engine):
        clock.now += NOTE_SEEN
        during = watch.look(teacher.classroom, ada.member)
        assert during is not None
        assert during.students == before.students  # type: ignore[union-attr]
        assert watch.owner(ADA) == (teacher.classroom, ada.member, False)
        if engine.dialect.name == "postgresql":
            with pytest.raises(OperationalError):  # nothing is known of it here
                Watch(classrooms).look(teacher.classroom)
    clock.now += NOTE_SEEN
    watch.look(teacher.classroom)
    elsewhere = Watch(classrooms).look(teacher.classroom)
    assert elsewhere is not None
    assert elsewhere.members[ada.member] == clock.now - NOTE_SEEN  # who was heard of meanwhile


def test_nobody_waits_while_another_reads(
    classrooms: Classrooms, teacher: Membership, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(classrooms)
    before = watch.look(teacher.classroom)
    began, end = threading.Event(), threading.Event()
    read = watch._read

    def slow(*arguments: object) -> object:
        began.set()
        assert end.wait(LONG)
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(watch, "_read", slow)
    clock.now += 1
    reader = threading.Thread(target=watch.look, args=(teacher.classroom,), daemon=True)
    reader.start()
    assert began.wait(LONG)
    assert watch.look(teacher.classroom) is before
    end.set()
    reader.join(LONG)


def test_a_write_that_can_never_succeed_stops_no_other(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    outbox = Outbox(rest=0.01)
    classrooms.leave(ADA)
    outbox.send(lambda: classrooms.type(ada, "de-en", "Hallo", "", "{}"))  # its student has left
    ben = classrooms.join(keys.key_of("ben"), teacher.code)
    outbox.send(lambda: classrooms.answer(ben, " "))  # refused
    outbox.send(lambda: classrooms.type(ben, "de-en", "Hallo", "", "{}"))
    assert outbox.flush(LONG)
    assert typed(classrooms, teacher) == ["Hallo"]


def test_what_cannot_be_written_for_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, tries = Clock(), 0

    def fails() -> None:
        nonlocal tries
        tries += 1
        clock.now += 600
        raise OSError

    outbox = Outbox(rest=0, clock=clock)
    outbox.send(fails)
    assert outbox.flush(LONG)
    assert tries == 2


def test_who_cannot_wait_asks_a_database_that_is_silent_only_once() -> None:
    reads, end = PatientReads(patience=0.05), threading.Event()
    with pytest.raises(TimeoutError):
        reads.ask(lambda: end.wait(LONG))
    with pytest.raises(TimeoutError, match="earlier"):
        reads.ask(lambda: pytest.fail("it is not asked"))
    end.set()
    reads._late.result(LONG)  # type: ignore[union-attr]
    assert reads.ask(lambda: 7) == 7
    with pytest.raises(InvalidInput):
        reads.ask(lambda: classrooms_are_full())


def classrooms_are_full() -> None:
    raise InvalidInput("classes_full")


def test_texts_hold_no_character_that_a_database_refuses(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    classrooms.join(ADA, teacher.code, "A\0da")
    classrooms.type(ada, "de-en", "Hal\0lo", "hel\0lo", "{}")
    task = classrooms.ask(teacher, "choice", "Wh\0y?", [("a\0", "a\0"), ("b", "b")])
    classrooms.answer(ada, "a\0", task=task)
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert "\0" not in repr(snapshot).replace("\\x00", "\0")
    assert typed(classrooms, teacher) == ["Hallo"]


def test_notes_of_users_are_kept_the_newest_first(classrooms: Classrooms, clock: Clock) -> None:
    notes.write(classrooms, "ada", "quiz", "one", clock.now)
    notes.write(classrooms, "ada", "quiz", "two", clock.now + 1)
    notes.write(classrooms, "ada", "quiz", "late", clock.now)  # it waited for the database
    notes.write(classrooms, "ada", "course", "", clock.now)
    notes.write(classrooms, "ada", "long", "short", clock.now - 1)
    notes.write(classrooms, "ada", "long", "x" * (notes.CHARACTERS + 1), clock.now)  # else the older one came back
    notes.write(classrooms, "ben", "quiz", "his", clock.now)
    assert notes.read(classrooms, "ada") == {
        "quiz": ("two", clock.now + 1),
        "course": ("", clock.now),
        "long": ("", clock.now),
    }
    clock.now += 101
    notes.delete_old(classrooms, 100)
    assert notes.read(classrooms, "ada") == {"quiz": ("two", clock.now - 100)}
    assert notes.read(classrooms, "ben") == {}


def test_a_note_is_changed_once_however_often_it_is_tried(classrooms: Classrooms) -> None:
    notes.write(classrooms, "ada", "quiz", "1", 1.0)
    for _ in range(2):
        notes.change(classrooms, "ada", "quiz", lambda note: f"{note}2\0", 2.0)
        notes.change(classrooms, "ada", "own", lambda note: note or "7", 2.0)
    assert notes.read(classrooms, "ada") == {"quiz": ("12", 2.0), "own": ("7", 2.0)}


def test_the_oldest_notes_give_way(classrooms: Classrooms, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MOST", 4)
    monkeypatch.setattr(notes, "BATCH", 2)
    for number in range(5):
        notes.write(classrooms, "ada", str(number), "x" * 10, clock.now + number)
    assert sorted(notes.read(classrooms, "ada")) == ["2", "3", "4"]
    monkeypatch.setattr(notes, "ALL", 10)
    notes.delete_old(classrooms, 100)
    assert sorted(notes.read(classrooms, "ada")) == ["4"]


def test_a_write_that_always_fails_lets_the_others_go_first() -> None:
    end, made = threading.Event(), []

    def fails() -> None:
        if not end.is_set():
            raise OSError

    outbox = Outbox(rest=0.001, patience=0)
    outbox.send(fails)
    for number in range(3):
        outbox.send(lambda number=number: made.append(number))  # type: ignore[misc]
    wait_until = threading.Event()
    outbox.send(wait_until.set)
    assert wait_until.wait(LONG)
    assert made == [0, 1, 2]
    assert not outbox.flush(0)
    end.set()
    assert outbox.flush(LONG)
