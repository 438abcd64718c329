"""Strangers who try to fill a class, to use up the server's classes, or to stay in: a clock that a test sets."""

from contextlib import suppress

import pytest

from classroom import keys, limits
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Answer, Classroom, Departure, Member, Sentence
from classroom.watch import FRESH, Watch
from model.errors import InvalidInput
from tests.classroom.conftest import ADA, BEN, TEACHER, Clock, count, refused

SECOND = 1.0


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test reaches soon."""
    for name, limit in (("MEMBERS", 20), ("CLASSROOMS", 10), ("DEPARTED", 20)):
        monkeypatch.setattr(limits, name, limit)


def flood(classrooms: Classrooms, code: str, size: int, name: str = "bot") -> list[Membership]:
    return [classrooms.join(keys.key_of(f"{name} {number}"), code) for number in range(size)]


def heard(classrooms: Classrooms, clock: Clock, *members: Membership) -> None:
    classrooms.seen({me.member: clock.now for me in members})


def test_a_flood_of_invented_students_gives_way_to_a_real_one(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    classrooms.answer(ada, "because", task=classrooms.ask(teacher, "text", "Why?"))
    flood(classrooms, teacher.code, limits.MEMBERS - 1)
    with refused("class_full"):  # they may be real for a moment
        classrooms.join(BEN, teacher.code)
    clock.now += limits.NEVER_HEARD + SECOND
    heard(classrooms, clock, ada, classrooms.join(BEN, teacher.code))
    assert classrooms.membership(ADA) == ada
    clock.now += limits.PRESENT + SECOND
    with refused("class_full"):
        flood(classrooms, teacher.code, 3 * limits.MEMBERS, "more")
    assert classrooms.membership(ADA) == ada  # silent by now, and yet somebody who has answered
    with classrooms.reading() as session:
        assert session.query(Member).filter_by(teacher=False).count() == limits.MEMBERS


def test_a_flood_that_keeps_talking_is_removed_and_locked_out(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    bots = flood(classrooms, teacher.code, limits.MEMBERS - 1)
    clock.now += limits.PRESENT + SECOND
    heard(classrooms, clock, ada, *bots)
    with refused("class_full"):
        classrooms.join(BEN, teacher.code)
    classrooms.remove(teacher, [bot.member for bot in bots], True)
    ben = classrooms.join(BEN, teacher.code)
    classrooms.lock(teacher, True)
    with refused("class_locked"):
        classrooms.join(keys.key_of("another bot"), teacher.code)
    with refused("class_removed"):
        classrooms.join(keys.key_of("bot 3"), teacher.code)
    classrooms.leave(BEN)
    assert classrooms.join(BEN, teacher.code).classroom == ben.classroom  # who was here comes back
    classrooms.lock(teacher, False)
    assert classrooms.join(keys.key_of("late"), teacher.code)


def test_who_was_here_comes_back_to_a_full_class(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    classrooms.leave(ADA)
    bots = flood(classrooms, teacher.code, limits.MEMBERS)
    clock.now += SECOND
    heard(classrooms, clock, *bots)
    with refused("class_full"):
        classrooms.join(BEN, teacher.code)
    assert classrooms.join(ADA, teacher.code, "Ada").classroom == teacher.classroom


def test_who_gave_way_was_not_here(classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock) -> None:
    """A flood that has given way comes back to a locked class, and pushes nobody out."""
    classrooms.leave(ADA)
    flood(classrooms, teacher.code, limits.MEMBERS)
    clock.now += limits.NEVER_HEARD + SECOND
    students = [classrooms.join(keys.key_of(f"student {number}"), teacher.code) for number in range(limits.MEMBERS)]
    assert count(classrooms, Departure) == 1  # Ada alone: the flood did not make the class forget her
    clock.now += SECOND
    heard(classrooms, clock, *students)
    classrooms.lock(teacher, True)
    for number in range(limits.MEMBERS):
        with refused("class_locked"):
            classrooms.join(keys.key_of(f"bot {number}"), teacher.code)
    assert all(classrooms.membership(keys.key_of(f"student {number}")) for number in range(limits.MEMBERS))


def test_a_removed_student_is_out_with_all_that_they_typed_until_they_are_let_back(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    watch = Watch(classrooms)
    task = classrooms.ask(teacher, "text", "Why?")
    classrooms.answer(ada, "because", task=task)
    classrooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    ben = classrooms.join(BEN, teacher.code)
    for _ in range(2):  # a browser may ask twice
        classrooms.remove(teacher, [ada.member, teacher.member], True)
    clock.now += FRESH
    board = watch.look(teacher.classroom).board  # type: ignore[union-attr]
    assert (board["removed"], board["sentences"], board["asked"]["answers"]) == ([ada.member], [], [])
    assert classrooms.membership(ADA) is None
    assert watch.owner(ADA) is None
    assert classrooms.membership(TEACHER) == teacher
    classrooms.type(ada, "de-en", "Noch da.", "Still here.", "{}")  # a session that has not heard of it yet
    classrooms.answer(ada, "so", task=classrooms.ask(teacher, "text", "And?"))
    assert (count(classrooms, Sentence), count(classrooms, Answer)) == (1, 1)
    with refused("class_teacher"):
        classrooms.remove(ben, [ada.member], False)
    classrooms.remove(teacher, [ada.member], False)
    clock.now += FRESH
    board = watch.look(teacher.classroom).board  # type: ignore[union-attr]
    assert (board["removed"], len(board["sentences"]), board["earlier"][0]["answers"]) == (
        [],
        1,
        [["because", 1, None]],
    )
    assert classrooms.membership(ADA) == ada == classrooms.join(ADA, teacher.code)


@pytest.mark.parametrize("away", ["leave", "join", "create"])
def test_who_was_removed_stays_out_wherever_they_were_meanwhile(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock, away: str
) -> None:
    classrooms.type(ada, "de-en", "Wir gehen.", "We go.", "{}")
    classrooms.remove(teacher, [ada.member], True)
    if away == "leave":
        classrooms.leave(ADA)
    elif away == "join":
        classrooms.join(ADA, classrooms.create(BEN, "Other").code)
    else:
        classrooms.create(ADA, "Own")
    elsewhere = classrooms.membership(ADA)
    with refused("class_removed"):
        classrooms.join(ADA, teacher.code)
    assert classrooms.membership(ADA) == elsewhere
    watch = Watch(classrooms)
    assert watch.look(teacher.classroom).board["removed"] == [ada.member]  # type: ignore[union-attr]
    classrooms.lock(teacher, True)
    classrooms.remove(teacher, [ada.member], False)
    assert classrooms.membership(ADA) == (elsewhere or ada)  # nobody is in two classes
    clock.now += FRESH
    assert watch.look(teacher.classroom).board["removed"] == []  # type: ignore[union-attr]
    if away == "create":
        classrooms.end(elsewhere)  # type: ignore[arg-type]
    assert classrooms.join(ADA, teacher.code).classroom == teacher.classroom  # though it is locked


def test_nobody_is_removed_from_another_class(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    other = classrooms.create(BEN, "")
    classrooms.remove(other, [ada.member], True)
    assert classrooms.membership(ADA) == ada


def test_what_is_kept_of_who_leaves_has_an_end(classrooms: Classrooms, teacher: Membership) -> None:
    for number in range(3 * limits.DEPARTED):
        key = keys.key_of(f"guest {number}")
        classrooms.join(key, teacher.code)
        classrooms.leave(key)
    assert count(classrooms, Departure) == limits.DEPARTED
    for number in range(3 * limits.MEMBERS):
        bot = classrooms.join(keys.key_of(f"bot {number}"), teacher.code)
        classrooms.remove(teacher, [bot.member], True)
    assert count(classrooms, Member) <= 2 * limits.MEMBERS + 2


def test_classes_of_programs_make_room_within_seconds(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    clock.now += SECOND
    heard(classrooms, clock, teacher)  # a browser asks for its class at once
    for number in range(limits.CLASSROOMS - 1):
        own = classrooms.create(keys.key_of(f"throwaway {number}"), "")
        classrooms.join(keys.key_of(f"bot {number}"), own.code)
    with refused("classes_full"):  # they may be real for a moment
        classrooms.create(BEN, "")
    clock.now += limits.NEVER_HEARD + SECOND
    for number in range(limits.CLASSROOMS - 1):
        real = classrooms.create(keys.key_of(f"teacher {number}"), "")
        clock.now += SECOND
        heard(classrooms, clock, real)
    assert classrooms.membership(ADA) == ada
    with refused("classes_full"):
        classrooms.create(BEN, "")


def test_deserted_classes_make_room_for_a_teacher(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    others = [classrooms.create(keys.key_of(f"throwaway {number}"), "") for number in range(limits.CLASSROOMS - 1)]
    clock.now += SECOND
    heard(classrooms, clock, teacher, *others)
    clock.now += limits.DESERTED - SECOND
    with refused("classes_full"):
        classrooms.create(BEN, "")
    clock.now += 2 * SECOND
    assert classrooms.create(BEN, "Real").classroom != teacher.classroom
    for number in range(2 * limits.CLASSROOMS):  # a flood cannot push out a class that somebody has joined
        clock.now += limits.DESERTED / 4
        heard(classrooms, clock, teacher)
        with suppress(InvalidInput):
            classrooms.create(keys.key_of(f"more {number}"), "")
    assert classrooms.membership(ADA) == ada
    assert count(classrooms, Classroom) == limits.CLASSROOMS


def test_a_class_that_nobody_was_heard_of_for_an_hour_makes_room(
    classrooms: Classrooms, teacher: Membership, ada: Membership, clock: Clock
) -> None:
    clock.now += SECOND
    heard(classrooms, clock, teacher, ada)
    rest = [keys.key_of(f"other {number}") for number in range(limits.CLASSROOMS - 1)]
    for key in rest:
        classrooms.join(keys.key_of(f"student of {key}"), classrooms.create(key, "").code)
    clock.now += limits.FORSAKEN - SECOND
    heard(classrooms, clock, *(me for me in map(classrooms.membership, rest) if me))
    with refused("classes_full"):
        classrooms.create(BEN, "")
    clock.now += 2 * SECOND
    classrooms.create(BEN, "")
    assert classrooms.membership(ADA) is None
