"""Rooms: who may do what, what is kept, and for how long. On SQLite and on PostgreSQL."""

import csv
import io
import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, func, select

from model.errors import InvalidInput
from rooms import keys, limits, results
from rooms.rooms import Membership, Rooms
from rooms.tables import Answer, Base, Member, Room, Sentence, Task
from rooms.watch import FRESH, Watch
from tests.rooms.conftest import Clock

TEACHER, ADA, BEN = (keys.key_of(name) for name in ("teacher", "ada", "ben"))


def refused(code: str):
    return pytest.raises(InvalidInput, check=lambda error: error.code == code)


def count(rooms: Rooms, table: type[Base]) -> int:
    with rooms.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture
def teacher(rooms: Rooms) -> Membership:
    return rooms.create(TEACHER, "Attention")


@pytest.fixture
def ada(rooms: Rooms, teacher: Membership) -> Membership:
    return rooms.join(ADA, teacher.code, "Ada")


def test_the_migrations_make_the_tables_of_this_version(engine: Engine) -> None:
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_a_student_joins_and_comes_back(rooms: Rooms, teacher: Membership) -> None:
    ada = rooms.join(ADA, teacher.code, "  Ada ")
    assert (ada.room, ada.teacher, ada.ended) == (teacher.room, False, False)
    assert rooms.membership(ADA) == ada == rooms.join(ADA, teacher.code)
    assert rooms.membership(TEACHER) == teacher
    assert rooms.membership(BEN) is None
    snapshot = Watch(rooms).look(teacher.room)
    assert snapshot is not None
    assert [row[1:] for row in snapshot.board["members"]] == [["", True], ["Ada", False]]


def test_only_the_right_code_opens_a_room(rooms: Rooms, teacher: Membership) -> None:
    for code in ("", "ABCDEF" if teacher.code != "ABCDEF" else "ABCDEG", teacher.code[:-1]):
        with refused("room_unknown"):
            rooms.join(ADA, code)
    assert rooms.membership(ADA) is None
    assert keys.read_code(f" {keys.spelled(teacher.code).lower()} ") == teacher.code
    assert [keys.read_code(typed) for typed in ("", "ABC", "ABCDE0", "ABCDEFG", "<b>x</b>")] == [""] * 5


def test_codes_are_drawn_from_all_letters_and_never_twice() -> None:
    codes = {keys.new_code() for _ in range(2_000)}
    assert len(codes) == 2_000
    assert set("".join(codes)) == set(keys.LETTERS)


def test_a_student_cannot_act_as_teacher(rooms: Rooms, teacher: Membership, ada: Membership) -> None:
    forged = Membership(**(vars(ada) | {"teacher": True}))
    stranger = Membership(**(vars(teacher) | {"room": rooms.create(BEN, "Other").room}))
    for me in (ada, forged, stranger):
        for act in (
            lambda me=me: rooms.show(me, "attention"),
            lambda me=me: rooms.count_down(me, 5),
            lambda me=me: rooms.choose(me, "pages=start"),
            lambda me=me: rooms.ask(me, "text", "Why?"),
            lambda me=me: rooms.close(me),
            lambda me=me: rooms.hide(me, 1, True),
            lambda me=me: rooms.end(me),
        ):
            with refused("room_teacher"):
                act()


def test_who_reads_the_database_learns_no_key(rooms: Rooms, ada: Membership) -> None:
    with rooms.reading() as session:
        stored = list(session.scalars(select(Member.key)))
    assert keys.hashed(ADA) in stored
    assert all(rooms.membership(key) is None for key in stored)


def test_the_class_sees_what_the_teacher_does(rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock) -> None:
    watch = Watch(rooms)
    before = watch.look(teacher.room, ada.member)
    assert before is not None
    rooms.show(teacher, "attention?head=3")
    rooms.count_down(teacher, 2)
    task = rooms.ask(teacher, "choice", "Which word?", [("a", "Kino"), ("b", "gehen")])
    clock.now += FRESH
    after = watch.look(teacher.room)
    assert after is not None
    assert after.changed == before.changed + 3
    assert (after.students["view"], after.students["shown"], after.until) == (
        "attention?head=3",
        1,
        clock.now - FRESH + 120,
    )
    assert after.students["task"] == {
        "id": task, "kind": "choice", "question": "Which word?", "options": [["a", "Kino"], ["b", "gehen"]],
        "posed": None,
    }  # fmt: skip


def test_answers_count_once_and_only_while_the_question_is_open(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    ben = rooms.join(BEN, teacher.code)
    task = rooms.ask(teacher, "choice", "Which?", [("a", "Kino"), ("b", "gehen")])
    rooms.answer(ada, "a", task=task, right=True)
    assert rooms.ask(teacher, "choice", "Which?", [("a", "Kino"), ("b", "gehen")]) == task  # a request sent twice
    rooms.answer(ada, "b", task=task, right=False)
    rooms.answer(ben, "b", task=task, right=False)
    rooms.answer(teacher, "a", task=task)  # who teaches does not vote
    snapshot = Watch(rooms).look(teacher.room)
    assert snapshot is not None
    assert sorted(snapshot.board["asked"]["answers"]) == [["a", 1, True], ["b", 1, False]]
    assert snapshot.answered == {ada.member: "a", ben.member: "b"}
    rooms.close(teacher)
    with refused("room_closed"):
        rooms.answer(ada, "a", task=task)
    rooms.answer(ada, "a", name="softmax 3")  # of the quiz, while the class is asked something else: not counted
    assert count(rooms, Answer) == 2


def test_an_answer_in_the_quiz_counts_where_the_class_is_asked_it(
    rooms: Rooms, teacher: Membership, ada: Membership
) -> None:
    rooms.ask(teacher, "quiz", "Which row?", [("right", "2")], name="masked 7")
    rooms.answer(ada, "right", name="masked 7", right=True)
    rooms.answer(ada, "x", name="masked 8", right=False)
    assert count(rooms, Answer) == 1


def test_a_sentence_stands_on_the_wall_once_until_it_is_hidden(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    for text in ("Wir gehen.", "Wir gehen.", "<b>Nein</b>"):
        rooms.type(ada, "de-en", text, "We go.", "{}")
    watch = Watch(rooms)
    wall = watch.look(teacher.room).board["sentences"]  # type: ignore[union-attr]
    assert [(each["by"], each["text"], each["hidden"]) for each in wall] == [
        ("Ada", "Wir gehen.", False), ("Ada", "<b>Nein</b>", False),
    ]  # fmt: skip
    rooms.hide(teacher, wall[1]["id"], True)
    clock.now += FRESH
    assert [each["hidden"] for each in watch.look(teacher.room).board["sentences"]] == [False, True]  # type: ignore[union-attr]


def test_who_leaves_takes_everything_along(rooms: Rooms, teacher: Membership, ada: Membership) -> None:
    task = rooms.ask(teacher, "text", "Why?")
    rooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    rooms.answer(ada, "because", task=task)
    rooms.leave(ADA)
    assert rooms.membership(ADA) is None
    assert (count(rooms, Sentence), count(rooms, Answer), count(rooms, Member)) == (0, 0, 1)
    rooms.leave(TEACHER)  # a teacher ends the class instead
    assert rooms.membership(TEACHER) == teacher


@pytest.mark.parametrize(("over", "seconds"), [(True, limits.AFTER_END), (False, limits.DAY)])
def test_a_room_is_deleted_with_all_that_is_in_it(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock, over: bool, seconds: float
) -> None:
    rooms.answer(ada, "because", task=rooms.ask(teacher, "text", "Why?"))
    rooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    if over:
        rooms.end(teacher)
        with refused("room_over"):
            rooms.join(BEN, teacher.code)
        with refused("room_over"):
            rooms.show(teacher, "attention")
    clock.now += seconds - 1
    rooms.delete_old()
    assert count(rooms, Room) == 1
    clock.now += 2
    rooms.delete_old()
    assert [count(rooms, table) for table in (Room, Member, Sentence, Task, Answer)] == [0] * 5
    assert Watch(rooms).look(teacher.room) is None


def test_who_comes_or_answers_too_late_is_told_that_the_class_has_ended(
    rooms: Rooms, teacher: Membership, ada: Membership
) -> None:
    task = rooms.ask(teacher, "text", "Why?")
    rooms.end(teacher)
    for key in (ADA, BEN):
        with refused("room_over"):
            rooms.join(key, teacher.code)
    with refused("room_closed"):
        rooms.answer(ada, "because", task=task)
    snapshot = Watch(rooms).look(teacher.room)
    assert snapshot is not None
    assert snapshot.students["task"] is None
    assert not snapshot.board["asked"]["open"]


def test_earlier_questions_keep_their_answers(rooms: Rooms, teacher: Membership, ada: Membership) -> None:
    for question in ("First?", "Second?", "Third?"):
        rooms.answer(ada, question.lower(), task=rooms.ask(teacher, "text", question))
    board = Watch(rooms).look(teacher.room).board  # type: ignore[union-attr]
    assert board["asked"]["question"] == "Third?"
    assert [(each["question"], each["answers"], each["open"]) for each in board["earlier"]] == [
        ("Second?", [["second?", 1, None]], False), ("First?", [["first?", 1, None]], False),
    ]  # fmt: skip


def test_a_teacher_hides_an_answer_and_what_says_the_same(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    ben, task = rooms.join(BEN, teacher.code), rooms.ask(teacher, "text", "Why?")
    watch = Watch(rooms)
    rooms.answer(ada, "rude", task=task)
    rooms.hide_answer(teacher, task, "rude", True)
    rooms.answer(ben, "rude", task=task)
    assert watch.look(teacher.room).board["asked"]["hidden"] == ["rude"]  # type: ignore[union-attr]
    assert watch.look(teacher.room).board["asked"]["answers"] == [["rude", 2, None]]  # type: ignore[union-attr]
    read = list(csv.DictReader(io.StringIO(results.table(rooms, teacher).decode("utf-8-sig"))))
    assert [row["hidden"] for row in read] == ["1", "1"]
    rooms.hide_answer(teacher, task, "rude", False)
    clock.now += FRESH
    assert watch.look(teacher.room).board["asked"]["hidden"] == []  # type: ignore[union-attr]
    with refused("room_teacher"):
        rooms.hide_answer(ada, task, "rude", True)
    other = rooms.create(keys.key_of("other"), "")
    rooms.hide_answer(other, task, "rude", True)  # of another class: nothing happens
    clock.now += FRESH
    assert watch.look(teacher.room).board["asked"]["hidden"] == []  # type: ignore[union-attr]


def test_a_class_that_is_old_takes_nobody_in(rooms: Rooms, teacher: Membership, clock: Clock) -> None:
    clock.now += limits.DAY + 1
    with refused("room_unknown"):
        rooms.join(ADA, teacher.code)


def test_limits_hold(rooms: Rooms, teacher: Membership, ada: Membership, monkeypatch: pytest.MonkeyPatch) -> None:
    for code, act in {
        "room_long": lambda: rooms.join(BEN, teacher.code, "x" * (limits.NICKNAME + 1)),
        "room_question": lambda: rooms.ask(teacher, "text", "  "),
        "room_options": lambda: rooms.ask(teacher, "choice", "Which?", [("a", "same"), ("b", "same")]),
        "room_minutes": lambda: rooms.count_down(teacher, float("nan")),
        "room_answer": lambda: rooms.answer(ada, " ", task=1),
        "room_teaches": lambda: rooms.join(TEACHER, rooms.create(BEN, "").code),
    }.items():
        with refused(code):
            act()
    with refused("room_long"):
        rooms.ask(teacher, "text", "x" * (limits.QUESTION + 1))
    with refused("room_long"):
        rooms.show(teacher, "x" * (limits.VIEW + 1))
    for name, code, act in (
        ("MEMBERS", "room_full", lambda: rooms.join(keys.key_of("eve"), teacher.code)),
        ("ROOMS", "rooms_full", lambda: rooms.create(keys.key_of("eve"), "")),
        ("TASKS", "room_tasks", lambda: rooms.ask(teacher, "text", "Why?")),
    ):
        monkeypatch.setattr(limits, name, 0)
        with refused(code):
            act()


def test_fifty_join_and_answer_at_once(rooms: Rooms, teacher: Membership) -> None:
    task = rooms.ask(teacher, "choice", "Which?", [("a", "Kino"), ("b", "gehen")])
    failed: list[BaseException] = []

    def student(number: int) -> None:
        try:
            me = rooms.join(keys.key_of(f"student {number}"), teacher.code, f"S{number}")
            rooms.answer(me, "ab"[number % 2], task=task)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=student, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    snapshot = Watch(rooms).look(teacher.room)
    assert snapshot is not None
    assert sorted(snapshot.board["asked"]["answers"]) == [["a", 25, None], ["b", 25, None]]


def test_the_results_are_a_table_that_no_spreadsheet_computes(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    ben = rooms.join(BEN, teacher.code)
    rooms.type(ada, "de-en", "=1+1", "=1+1", "{}")
    clock.now += 1
    rooms.answer(ben, "gehen, ja", task=rooms.ask(teacher, "text", "Warum?\nSag es."), right=True)
    read = list(csv.DictReader(io.StringIO(results.table(rooms, teacher).decode("utf-8-sig"))))
    assert tuple(read[0]) == results.COLUMNS
    assert [(row["student"], row["kind"], row["text"], row["right"]) for row in read] == [
        ("Ada", "sentence", "'=1+1", ""), ("Student 2", "answer", "gehen, ja", "1"),
    ]  # fmt: skip
    assert read[1]["question"] == "Warum?\nSag es."


def test_the_results_say_what_was_chosen_and_what_was_hidden(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    for text in ("Wir gehen.", "Nein!"):
        rooms.type(ada, "de-en", text, "We go.", "{}")
        clock.now += 1
    rooms.hide(teacher, Watch(rooms).look(teacher.room).board["sentences"][1]["id"], True)  # type: ignore[union-attr]
    rooms.answer(ada, "0", task=rooms.ask(teacher, "quiz", "Which token?", [("0", "<bos>"), ("5", "cinema")], name="x"))
    read = list(csv.DictReader(io.StringIO(results.table(rooms, teacher).decode("utf-8-sig"))))
    assert [(row["text"], row["hidden"]) for row in read] == [("Wir gehen.", "0"), ("Nein!", "1"), ("<bos>", "0")]


def test_watching_is_shared_and_notices_who_is_there(
    rooms: Rooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    watch, elsewhere = Watch(rooms), Watch(rooms)
    assert watch.owner(ADA) == (teacher.room, ada.member, False)
    assert watch.owner(BEN) is None
    clock.now += limits.PRESENT + 1
    snapshot = watch.look(teacher.room, ada.member)
    assert snapshot is not None
    assert watch.look(teacher.room) is snapshot  # one reading for all
    assert snapshot.present(clock.now) == [ada.member]
    watch.look(teacher.room, teacher.member)
    assert snapshot.present(clock.now) == [ada.member]  # who teaches is not counted
    clock.now += 5
    watch.look(teacher.room, ada.member)
    clock.now += 5
    other = elsewhere.look(teacher.room)
    assert other is not None
    assert other.present(clock.now) == [ada.member]  # another process has learned of it
    rooms.leave(ADA)
    clock.now += FRESH
    assert watch.owner(ADA) is None
