"""Classes: who may do what, what is kept, and for how long. On SQLite and on PostgreSQL."""

import csv
import io
import threading

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, select

from classroom import database, keys, limits, results
from classroom.classrooms import Classrooms, Membership
from classroom.learning import bank, participants
from classroom.tables import Answer, Base, Classroom, Member, Participant, Reply, Sentence, Task
from classroom.watch import FRESH, Watch
from tests.classroom.conftest import ADA, BEN, TEACHER, Clock, count, refused


def test_the_migrations_make_the_tables_of_this_version(engine: Engine) -> None:
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_an_option_is_answered_as_it_stands(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    """Tokens of some models begin with a space."""
    task = classrooms.ask(teacher, "quiz", "Which token?", [(" the", " the"), ("the", "the")], name="q")
    classrooms.answer(ada, " the", name="q", right=True)
    with classrooms.reading() as session:
        assert session.scalars(select(Answer.text).where(Answer.task_id == task)).all() == [" the"]
    with refused("class_option"):
        classrooms.answer(ada, "the ", name="q")


def test_who_has_left_by_themselves_is_known(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    assert not classrooms.has_left(ADA, teacher.classroom)
    classrooms.leave(ADA)
    assert classrooms.has_left(ADA, teacher.classroom)
    again = classrooms.join(ADA, teacher.code)
    classrooms.remove(teacher, [again.member], True)
    assert not classrooms.has_left(ADA, teacher.classroom)


def test_a_migration_takes_no_class_along(engine: Engine, classrooms: Classrooms) -> None:
    """SQLite makes a table anew to change it: what belongs to the old one must not go with it."""
    teacher = classrooms.create(TEACHER, "")
    ada = classrooms.join(ADA, teacher.code)
    classrooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    classrooms.answer(ada, "because", task=classrooms.ask(teacher, "text", "Why?"))
    participants.set_up(classrooms, teacher, "all")
    taker = participants.take_part(classrooms, ada)
    participants.answer(classrooms, ada, "before", bank.forms()[taker.first_form][0].id, 0, 5)
    everything = [Classroom, Member, Sentence, Task, Answer, Participant, Reply]
    database.migrate(engine, command.downgrade, "0006")
    database.migrate(engine, command.upgrade, "head")
    assert [count(classrooms, table) for table in everything] == [1, 2, 1, 1, 1, 1, 1]
    classrooms.delete_old()
    classrooms.leave(TEACHER)
    classrooms.end(teacher)
    classrooms.leave(TEACHER)
    assert [count(classrooms, table) for table in everything] == [0] * 7


def test_a_student_joins_and_comes_back(classrooms: Classrooms, teacher: Membership) -> None:
    ada = classrooms.join(ADA, teacher.code, "  Ada ")
    assert (ada.classroom, ada.teacher, ada.ended) == (teacher.classroom, False, False)
    assert classrooms.membership(ADA) == ada == classrooms.join(ADA, teacher.code)
    assert classrooms.membership(TEACHER) == teacher
    assert classrooms.membership(BEN) is None
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert [row[1:] for row in snapshot.board["members"]] == [["", True], ["Ada", False]]


def test_only_the_right_code_opens_a_class(classrooms: Classrooms, teacher: Membership) -> None:
    for code in ("", "ABCDEF" if teacher.code != "ABCDEF" else "ABCDEG", teacher.code[:-1]):
        with refused("class_unknown"):
            classrooms.join(ADA, code)
    assert classrooms.membership(ADA) is None
    assert keys.read_code(f" {keys.spelled(teacher.code).lower()} ") == teacher.code
    assert [keys.read_code(text) for text in ("", "ABC", "ABCDE0", "ABCDEFG", "<b>x</b>")] == [""] * 5


def test_codes_are_drawn_from_all_letters_and_never_twice() -> None:
    codes = {keys.new_code() for _ in range(2_000)}
    assert len(codes) == 2_000
    assert set("".join(codes)) == set(keys.LETTERS)


def test_a_student_cannot_act_as_teacher(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    impostor = Membership(**(vars(ada) | {"teacher": True}))
    stranger = Membership(**(vars(teacher) | {"classroom": classrooms.create(BEN, "Other").classroom}))
    for me in (ada, impostor, stranger):
        for act in (
            lambda me=me: classrooms.show(me, "attention"),
            lambda me=me: classrooms.count_down(me, 5),
            lambda me=me: classrooms.choose(me, "pages=start"),
            lambda me=me: classrooms.ask(me, "text", "Why?"),
            lambda me=me: classrooms.close(me),
            lambda me=me: classrooms.hide(me, 1, True),
            lambda me=me: classrooms.end(me),
        ):
            with refused("class_teacher"):
                act()


def test_who_reads_the_database_learns_no_key(classrooms: Classrooms, ada: Membership) -> None:
    with classrooms.reading() as session:
        hashes = list(session.scalars(select(Member.key)))
    assert keys.hashed(ADA) in hashes
    assert all(classrooms.membership(key) is None for key in hashes)


def test_the_class_sees_what_the_teacher_does(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    watch = Watch(classrooms)
    before = watch.look(teacher.classroom, ada.member)
    assert before is not None
    classrooms.show(teacher, "attention?head=3")
    classrooms.count_down(teacher, 2)
    task = classrooms.ask(teacher, "choice", "Which word?", [("a", "Kino"), ("b", "gehen")])
    clock.now += FRESH
    after = watch.look(teacher.classroom)
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
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    ben = classrooms.join(BEN, teacher.code)
    task = classrooms.ask(teacher, "choice", "Which?", [("a", "Kino"), ("b", "gehen")])
    classrooms.answer(ada, "a", task=task, right=True)
    assert classrooms.ask(teacher, "choice", "Which?", [("a", "Kino"), ("b", "gehen")]) == task  # a request sent twice
    classrooms.answer(ada, "b", task=task, right=False)
    classrooms.answer(ben, "b", task=task, right=False)
    classrooms.answer(teacher, "a", task=task)  # who teaches does not vote
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert sorted(snapshot.board["asked"]["answers"]) == [["a", 1, True], ["b", 1, False]]
    assert snapshot.answered == {ada.member: "a", ben.member: "b"}
    classrooms.close(teacher)
    with refused("class_closed"):
        classrooms.answer(ada, "a", task=task)
    classrooms.answer(ada, "a", name="softmax 3")  # of the quiz, while the class is asked something else: not counted
    assert count(classrooms, Answer) == 2


def test_an_answer_in_the_quiz_counts_where_the_class_is_asked_it(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    classrooms.ask(teacher, "quiz", "Which row?", [("right", "2")], name="masked 7")
    classrooms.answer(ada, "right", name="masked 7", right=True)
    classrooms.answer(ada, "x", name="masked 8", right=False)
    assert count(classrooms, Answer) == 1


def test_a_sentence_stands_on_the_wall_once_until_it_is_hidden(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    for text in ("Wir gehen.", "Wir gehen.", "<b>Nein</b>"):
        classrooms.type(ada, "de-en", text, "We go.", "{}")
    watch = Watch(classrooms)
    wall = watch.look(teacher.classroom).board["sentences"]  # type: ignore[union-attr]
    assert [(each["by"], each["text"], each["hidden"]) for each in wall] == [
        ("Ada", "Wir gehen.", False), ("Ada", "<b>Nein</b>", False),
    ]  # fmt: skip
    classrooms.hide(teacher, wall[1]["id"], True)
    clock.now += FRESH
    assert [each["hidden"] for each in watch.look(teacher.classroom).board["sentences"]] == [False, True]  # type: ignore[union-attr]


def test_who_leaves_takes_everything_along(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    task = classrooms.ask(teacher, "text", "Why?")
    classrooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    classrooms.answer(ada, "because", task=task)
    classrooms.leave(ADA)
    assert classrooms.membership(ADA) is None
    assert (count(classrooms, Sentence), count(classrooms, Answer), count(classrooms, Member)) == (0, 0, 1)
    classrooms.leave(TEACHER)  # a teacher ends the class instead
    assert classrooms.membership(TEACHER) == teacher


@pytest.mark.parametrize(("over", "seconds"), [(True, limits.AFTER_END), (False, limits.DAY)])
def test_a_class_is_deleted_with_all_that_is_in_it(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock, over: bool, seconds: float
) -> None:
    classrooms.answer(ada, "because", task=classrooms.ask(teacher, "text", "Why?"))
    classrooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    if over:
        classrooms.end(teacher)
        with refused("class_over"):
            classrooms.join(BEN, teacher.code)
        with refused("class_over"):
            classrooms.show(teacher, "attention")
    clock.now += seconds - 1
    classrooms.delete_old()
    assert count(classrooms, Classroom) == 1
    clock.now += 2
    classrooms.delete_old()
    assert [count(classrooms, table) for table in (Classroom, Member, Sentence, Task, Answer)] == [0] * 5
    assert Watch(classrooms).look(teacher.classroom) is None


def test_who_comes_or_answers_too_late_is_told_that_the_class_has_ended(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    task = classrooms.ask(teacher, "text", "Why?")
    classrooms.end(teacher)
    for key in (ADA, BEN):
        with refused("class_over"):
            classrooms.join(key, teacher.code)
    with refused("class_closed"):
        classrooms.answer(ada, "because", task=task)
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert snapshot.students["task"] is None
    assert not snapshot.board["asked"]["open"]


def test_earlier_questions_keep_their_answers(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    for question in ("First?", "Second?", "Third?"):
        classrooms.answer(ada, question.lower(), task=classrooms.ask(teacher, "text", question))
    board = Watch(classrooms).look(teacher.classroom).board  # type: ignore[union-attr]
    assert board["asked"]["question"] == "Third?"
    assert [(each["question"], each["answers"], each["open"]) for each in board["earlier"]] == [
        ("Second?", [["second?", 1, None]], False), ("First?", [["first?", 1, None]], False),
    ]  # fmt: skip


def test_a_teacher_hides_an_answer_and_what_says_the_same(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    ben, task = classrooms.join(BEN, teacher.code), classrooms.ask(teacher, "text", "Why?")
    watch = Watch(classrooms)
    classrooms.answer(ada, "rude", task=task)
    classrooms.hide_answer(teacher, task, "rude", True)
    classrooms.answer(ben, "rude", task=task)
    assert watch.look(teacher.classroom).board["asked"]["hidden"] == ["rude"]  # type: ignore[union-attr]
    assert watch.look(teacher.classroom).board["asked"]["answers"] == [["rude", 2, None]]  # type: ignore[union-attr]
    read = list(csv.DictReader(io.StringIO(results.table(classrooms, teacher).decode("utf-8-sig"))))
    assert [row["hidden"] for row in read] == ["1", "1"]
    classrooms.hide_answer(teacher, task, "rude", False)
    clock.now += FRESH
    assert watch.look(teacher.classroom).board["asked"]["hidden"] == []  # type: ignore[union-attr]
    with refused("class_teacher"):
        classrooms.hide_answer(ada, task, "rude", True)
    other = classrooms.create(keys.key_of("other"), "")
    classrooms.hide_answer(other, task, "rude", True)  # of another class: nothing happens
    clock.now += FRESH
    assert watch.look(teacher.classroom).board["asked"]["hidden"] == []  # type: ignore[union-attr]


def test_a_class_that_is_old_takes_nobody_in(classrooms: Classrooms, teacher: Membership, clock: Clock) -> None:
    clock.now += limits.DAY + 1
    with refused("class_unknown"):
        classrooms.join(ADA, teacher.code)


def test_limits_hold(
    classrooms: Classrooms, teacher: Membership, ada: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code, act in {
        "class_long": lambda: classrooms.join(BEN, teacher.code, "x" * (limits.NICKNAME + 1)),
        "class_question": lambda: classrooms.ask(teacher, "text", "  "),
        "class_options": lambda: classrooms.ask(teacher, "choice", "Which?", [("a", "same"), ("b", "same")]),
        "class_minutes": lambda: classrooms.count_down(teacher, float("nan")),
        "class_answer": lambda: classrooms.answer(ada, " ", task=1),
        "class_teaches": lambda: classrooms.join(TEACHER, classrooms.create(BEN, "").code),
    }.items():
        with refused(code):
            act()
    with refused("class_long"):
        classrooms.ask(teacher, "text", "x" * (limits.QUESTION + 1))
    with refused("class_long"):
        classrooms.show(teacher, "x" * (limits.VIEW + 1))
    for name, code, act in (
        ("MEMBERS", "class_full", lambda: classrooms.join(keys.key_of("eve"), teacher.code)),
        ("CLASSROOMS", "classes_full", lambda: classrooms.create(keys.key_of("eve"), "")),
        ("TASKS", "class_tasks", lambda: classrooms.ask(teacher, "text", "Why?")),
    ):
        monkeypatch.setattr(limits, name, 0)
        with refused(code):
            act()


def test_fifty_join_and_answer_at_once(classrooms: Classrooms, teacher: Membership) -> None:
    task = classrooms.ask(teacher, "choice", "Which?", [("a", "Kino"), ("b", "gehen")])
    errors: list[BaseException] = []

    def student(number: int) -> None:
        try:
            me = classrooms.join(keys.key_of(f"student {number}"), teacher.code, f"S{number}")
            classrooms.answer(me, "ab"[number % 2], task=task)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=student, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert sorted(snapshot.board["asked"]["answers"]) == [["a", 25, None], ["b", 25, None]]


def test_the_results_are_a_table_that_no_spreadsheet_computes(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    ben = classrooms.join(BEN, teacher.code)
    classrooms.type(ada, "de-en", "=1+1", "=1+1", "{}")
    clock.now += 1
    classrooms.answer(ben, "gehen, ja", task=classrooms.ask(teacher, "text", "Warum?\nSag es."), right=True)
    read = list(csv.DictReader(io.StringIO(results.table(classrooms, teacher).decode("utf-8-sig"))))
    assert tuple(read[0]) == results.COLUMNS
    assert [(row["student"], row["kind"], row["text"], row["right"]) for row in read] == [
        ("Ada", "sentence", "'=1+1", ""), ("Student 2", "answer", "gehen, ja", "1"),
    ]  # fmt: skip
    assert read[1]["question"] == "Warum?\nSag es."


def test_the_results_say_what_was_chosen_and_what_was_hidden(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    for text in ("Wir gehen.", "Nein!"):
        classrooms.type(ada, "de-en", text, "We go.", "{}")
        clock.now += 1
    classrooms.hide(teacher, Watch(classrooms).look(teacher.classroom).board["sentences"][1]["id"], True)  # type: ignore[union-attr]
    classrooms.ask(teacher, "quiz", "Which token?", [("0", "<bos>"), ("5", "cinema")], name="x")
    classrooms.answer(ada, "0", name="x", right=False)
    read = list(csv.DictReader(io.StringIO(results.table(classrooms, teacher).decode("utf-8-sig"))))
    assert [(row["text"], row["hidden"]) for row in read] == [("Wir gehen.", "0"), ("Nein!", "1"), ("<bos>", "0")]


def test_watching_is_shared_and_notices_who_is_there(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    watch, elsewhere = Watch(classrooms), Watch(classrooms)
    assert watch.owner(ADA) == (teacher.classroom, ada.member, False)
    assert watch.owner(BEN) is None
    clock.now += limits.PRESENT + 1
    snapshot = watch.look(teacher.classroom, ada.member)
    assert snapshot is not None
    assert watch.look(teacher.classroom) is snapshot  # one reading for all
    assert snapshot.present(clock.now) == [ada.member]
    watch.look(teacher.classroom, teacher.member)
    assert snapshot.present(clock.now) == [ada.member]  # who teaches is not counted
    clock.now += 5
    watch.look(teacher.classroom, ada.member)
    clock.now += 5
    other = elsewhere.look(teacher.classroom)
    assert other is not None
    assert other.present(clock.now) == [ada.member]  # another process has learned of it
    classrooms.leave(ADA)
    clock.now += FRESH
    assert watch.owner(ADA) is None
