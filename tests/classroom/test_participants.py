"""The test of a class: who takes part, what is kept, and for how long. On SQLite and on PostgreSQL."""

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import select

from classroom import keys, limits
from classroom.classrooms import Classrooms, Membership
from classroom.learning import bank, participants
from classroom.learning.takers import KINDS, LONGEST, Taker
from classroom.tables import Departure, Participant, Reply
from model.errors import InvalidInput
from tests.classroom.conftest import ADA, BEN, Clock, count, refused


def students(classrooms: Classrooms, teacher: Membership, count: int) -> list[Membership]:
    return [classrooms.join(keys.key_of(f"student {number}"), teacher.code) for number in range(count)]


def asked(classrooms: Classrooms, me: Membership, phase: str) -> tuple[bank.Question, ...]:
    taker = participants.taker(classrooms, me)
    return bank.forms()[taker.form(phase) if taker else "A"]


def answer_all(classrooms: Classrooms, me: Membership, phase: str, right: int = 6) -> None:
    for number, question in enumerate(asked(classrooms, me, phase)):
        choice = question.right if number < right else bank.UNKNOWN
        participants.answer(classrooms, me, phase, question.id, choice, seconds=7.6)


def test_before_lesson_and_after_are_kept_without_a_name(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    participants.set_up(classrooms, teacher, "all")
    taker = participants.take_part(classrooms, ada)
    assert taker == participants.take_part(classrooms, ada)  # a second click
    assert len(taker.id) == 12
    assert (taker.group, {taker.form("before"), taker.form("after")}) == ("all", {"A", "B"})
    answer_all(classrooms, ada, "before", right=2)
    first = asked(classrooms, ada, "before")[0]
    participants.answer(classrooms, ada, "before", first.id, bank.UNKNOWN, seconds=1)  # it is over
    participants.go_to(classrooms, teacher, "lesson")
    with refused("class_closed"):
        answer_all(classrooms, ada, "after")
    participants.go_to(classrooms, teacher, "after")
    with refused("class_closed"):
        answer_all(classrooms, ada, "before")
    answer_all(classrooms, ada, "after")
    assert participants.rows(classrooms, teacher) == []  # who reads them as they arrive knows whose they are
    participants.close(classrooms, teacher)
    rows = participants.rows(classrooms, teacher)
    assert {(row.participant, row.group, row.seconds) for row in rows} == {(taker.id, "all", 10)}
    assert {(row.phase, row.form) for row in rows} == {(phase, taker.form(phase)) for phase in ("before", "after")}
    assert Counter((row.phase, row.right) for row in rows) == {
        ("before", 1): 2, ("before", 0): 4, ("after", 1): 6,
    }  # fmt: skip
    assert participants.counts(classrooms, teacher) == {"agreed": 1, "before": 1, "after": 1}
    after = participants.taker(classrooms, ada)
    assert after is not None
    assert after.has_finished("after")
    known = classrooms.membership(ADA)
    assert known is not None
    assert (known.test_kind, known.test_phase, known.group) == ("all", "closed", "all")


def test_an_answer_may_change_until_the_last_one(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    participants.set_up(classrooms, teacher, "all")
    participants.take_part(classrooms, ada)
    question = asked(classrooms, ada, "before")[2]
    for choice in (bank.UNKNOWN, question.right):
        participants.answer(classrooms, ada, "before", question.id, choice, seconds=4000)
    participants.close(classrooms, teacher)
    [row] = participants.rows(classrooms, teacher)
    assert row[4:] == (question.id, question.right, 1, LONGEST)


def test_only_their_own_questions_are_taken(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    participants.set_up(classrooms, teacher, "all")
    taker = participants.take_part(classrooms, ada)
    for question, choice in [(bank.forms()[taker.form("after")][0].id, 0), ("none", 0), ("mask_a", 4), ("mask_b", 4)]:
        with refused("class_view"):
            participants.answer(classrooms, ada, "before", question, choice, seconds=1)
    assert count(classrooms, Reply) == 0


def test_nothing_is_kept_of_who_does_not_take_part(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    with refused("class_closed"):  # there is no test
        participants.take_part(classrooms, ada)
    participants.set_up(classrooms, teacher, "two")
    with refused("class_closed"):
        answer_all(classrooms, ada, "before")
    with refused("class_closed"):
        participants.take_part(classrooms, teacher)
    participants.go_to(classrooms, teacher, "lesson")
    with refused("class_closed"):  # too late for "before"
        participants.take_part(classrooms, ada)
    assert participants.taker(classrooms, ada) is None
    assert count(classrooms, Participant) == count(classrooms, Reply) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_groups_and_forms_are_balanced_and_nobody_gets_a_form_twice(
    classrooms: Classrooms, teacher: Membership, kind: str
) -> None:
    participants.set_up(classrooms, teacher, kind)
    everyone = students(classrooms, teacher, 18)
    takers: list[Taker] = []
    threads = [
        threading.Thread(target=lambda me=me: takers.append(participants.take_part(classrooms, me)))
        for me in everyone
    ]  # fmt: skip
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({taker.id for taker in takers}) == len(everyone)
    assert all({taker.form("before"), taker.form("after")} == {"A", "B"} for taker in takers)
    groups = Counter(taker.group for taker in takers)
    assert set(groups) == set(KINDS[kind])
    assert max(groups.values()) - min(groups.values()) <= 1
    for group in groups:
        forms = Counter(taker.first_form for taker in takers if taker.group == group)
        assert abs(forms["A"] - forms["B"]) <= 1


def test_the_draw_is_random(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    seen = set()
    for _ in range(60):
        participants.set_up(classrooms, teacher, "two")
        taker = participants.take_part(classrooms, ada)
        seen.add((taker.group, taker.first_form))
        participants.set_up(classrooms, teacher, "")
    assert seen == {(group, form) for group in ("touch", "picture") for form in "AB"}


def test_only_the_teacher_runs_the_test(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    for act in (participants.set_up, participants.go_to):
        with refused("class_teacher"):
            act(classrooms, ada, {"set_up": "all", "go_to": "before"}[act.__name__])
        with pytest.raises(InvalidInput):
            act(classrooms, teacher, "some")
    with refused("class_closed"):
        participants.go_to(classrooms, teacher, "after")


def two_have_answered(classrooms: Classrooms, teacher: Membership, ada: Membership) -> Membership:
    """Ada and Ben have answered the test before the lesson; Ben's membership."""
    ben = classrooms.join(BEN, teacher.code)
    participants.set_up(classrooms, teacher, "all")
    for me in (ada, ben):
        participants.take_part(classrooms, me)
        answer_all(classrooms, me, "before")
    return ben


def test_all_of_it_goes_with_the_student_and_with_the_class(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    two_have_answered(classrooms, teacher, ada)
    classrooms.leave(BEN)
    assert (count(classrooms, Participant), count(classrooms, Reply)) == (1, 6)
    classrooms.end(teacher)
    with refused("class_closed"):
        answer_all(classrooms, ada, "before")
    clock.now += limits.AFTER_END - 1
    classrooms.delete_old()
    assert len(participants.rows(classrooms, teacher)) == 6
    clock.now += 2
    classrooms.delete_old()
    assert count(classrooms, Participant) == count(classrooms, Reply) == 0


def test_a_test_that_is_closed_stays_closed(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    """A teacher who opened it again after reading the answers would see whose come next."""
    with refused("class_closed"):
        participants.close(classrooms, teacher)
    participants.set_up(classrooms, teacher, "all")
    participants.take_part(classrooms, ada)
    with refused("class_teacher"):
        participants.close(classrooms, ada)
    participants.close(classrooms, teacher)
    for act in (
        lambda: participants.go_to(classrooms, teacher, "after"),
        lambda: answer_all(classrooms, ada, "before"),
        lambda: participants.take_part(classrooms, ada),
    ):
        with refused("class_closed"):
            act()
    participants.set_up(classrooms, teacher, "")
    participants.set_up(classrooms, teacher, "all")  # another one begins without answers
    assert participants.counts(classrooms, teacher)["agreed"] == 0


def test_a_test_that_begins_again_after_it_was_closed_begins_without_answers(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    """An old tab of the teacher still offers to begin a test."""
    participants.set_up(classrooms, teacher, "all")
    participants.take_part(classrooms, ada)
    answer_all(classrooms, ada, "before", right=1)
    participants.close(classrooms, teacher)
    participants.set_up(classrooms, teacher, "all")
    with refused("class_closed"):
        answer_all(classrooms, ada, "before")
    assert count(classrooms, Participant) == count(classrooms, Reply) == 0


def test_who_leaves_and_comes_back_is_drawn_once(classrooms: Classrooms, teacher: Membership) -> None:
    participants.set_up(classrooms, teacher, "two")
    for number in range(12):
        key = keys.key_of(f"student {number}")
        first = participants.take_part(classrooms, classrooms.join(key, teacher.code))
        for _ in range(2):  # the second time without having taken part in between
            classrooms.leave(key)
            me = classrooms.join(key, teacher.code)
        again = participants.take_part(classrooms, me)
        assert (again.group, again.first_form) == (first.group, first.first_form)
        assert again.id != first.id


@pytest.mark.parametrize("over", [participants.close, Classrooms.end])
@pytest.mark.parametrize("goes", [Classrooms.leave, lambda some, key: some.create(key, "Another")])
def test_who_leaves_after_the_test_leaves_answers_that_are_nobodys(
    classrooms: Classrooms, teacher: Membership, ada: Membership,
    over: Callable[[Classrooms, Membership], None], goes: Callable[[Classrooms, str], object],
) -> None:  # fmt: skip
    """Answers that went with them would be theirs: those that a second file lacks."""
    participants.set_up(classrooms, teacher, "two")
    for me in (ada, classrooms.join(BEN, teacher.code)):
        participants.take_part(classrooms, me)
        answer_all(classrooms, me, "before")
    over(classrooms, teacher)
    rows = participants.rows(classrooms, teacher)
    goes(classrooms, BEN)
    assert participants.rows(classrooms, teacher) == rows
    assert participants.counts(classrooms, teacher)["agreed"] == 2
    with classrooms.reading() as session:
        assert {each.member_id for each in session.scalars(select(Participant))} == {None, ada.member}
        assert [(each.group, each.first_form) for each in session.scalars(select(Departure))] == [("", "")]


def test_a_flood_of_the_removed_takes_no_answers_out_of_a_closed_test(
    classrooms: Classrooms, teacher: Membership, ada: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MEMBERS", 3)
    participants.set_up(classrooms, teacher, "all")
    participants.take_part(classrooms, ada)
    answer_all(classrooms, ada, "before")
    participants.close(classrooms, teacher)
    classrooms.remove(teacher, [ada.member], True)
    for number in range(5):
        bot = classrooms.join(keys.key_of(f"bot {number}"), teacher.code)
        classrooms.remove(teacher, [bot.member], True)
    assert len(participants.rows(classrooms, teacher)) == 6


@pytest.mark.parametrize("over", [participants.close, Classrooms.end])
def test_answers_of_who_was_removed_do_not_count(
    classrooms: Classrooms, teacher: Membership, ada: Membership, over: Callable[[Classrooms, Membership], None]
) -> None:
    ben = two_have_answered(classrooms, teacher, ada)
    classrooms.remove(teacher, [ben.member], True)
    over(classrooms, teacher)
    assert len(participants.rows(classrooms, teacher)) == 6
    with suppress(InvalidInput):  # too late to learn which answers are Ada's
        classrooms.remove(teacher, [ada.member], True)
        classrooms.end(teacher)
    assert len(participants.rows(classrooms, teacher)) == 6
