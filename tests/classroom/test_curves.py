"""Curves of trainings on students' own devices: whose are on the board, for how long, and what is refused."""

from typing import Any

import pytest

from classroom import limits
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Training
from classroom.training import curves
from classroom.watch import Watch
from tests.classroom.conftest import ADA, BEN, TEACHER, count

SENT = {
    "task": "reverse", "step": 34, "steps": 600, "changed": False,
    "points": [[0, 3.5, 0], [30, 1.25, 0.75], [34, 1, None]],
}  # fmt: skip


def kept(classrooms: Classrooms, me: Membership) -> list[dict[str, Any]]:
    snapshot = Watch(classrooms).look(me.classroom, board=True)
    assert snapshot is not None
    return list(snapshot.board["trainings"])


def test_the_board_has_the_last_training_of_each_student(
    classrooms: Classrooms, teacher: Membership, ada: Membership
) -> None:
    ben = classrooms.join(BEN, teacher.code)
    first, second = curves.read(SENT), curves.read(SENT | {"task": "sort", "changed": True})
    for me, curve in ((ben, first), (ada, first), (ada, second), (teacher, first)):
        curves.keep(classrooms, me, curve)
    assert kept(classrooms, teacher) == [{"member": ada.member} | second, {"member": ben.member} | first]
    assert kept(classrooms, teacher)[1] | {"member": 0} == SENT | {"member": 0}
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert snapshot.board["idle"] == []  # who has trained has done something
    assert snapshot.changed < snapshot.noted  # which no student's page has to draw

    classrooms.remove(teacher, [ada.member], True)
    assert [each["member"] for each in kept(classrooms, teacher)] == [ben.member]
    curves.keep(classrooms, ada, first)
    classrooms.leave(BEN)
    assert kept(classrooms, teacher) == []
    classrooms.remove(teacher, [ada.member], False)
    assert kept(classrooms, teacher) == [{"member": ada.member} | second]  # of the time before
    classrooms.end(teacher)
    curves.keep(classrooms, ada, first)
    assert kept(classrooms, teacher) == [{"member": ada.member} | second]
    classrooms.leave(TEACHER)
    assert count(classrooms, Training) == 0


def test_another_class_does_not_see_it(classrooms: Classrooms, teacher: Membership, ada: Membership) -> None:
    other = classrooms.create(BEN, "")
    curves.keep(classrooms, ada, curves.read(SENT))
    assert kept(classrooms, other) == []
    assert len(kept(classrooms, teacher)) == 1
    classrooms.leave(ADA)
    assert count(classrooms, Training) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": []}, {"points": [[0, "x", 0]]}, {"points": [[0, float("nan"), 0]]}, {"points": [[0, -1, 0]]},
        {"points": [[30, 1, 0], [0, 2, 0]]}, {"points": [[0, 1, 0], [0, 2, 0]]}, {"points": [[0, 1]]},
        {"points": [[-1, 1, 0]]}, {"points": [[35, 1, 0]]}, {"step": 601}, {"steps": limits.STEPS + 1}, {"step": None},
        {"points": 3}, {"points": [[at, 1, 0] for at in range(limits.POINTS + 1)], "step": 600},
    ],
)  # fmt: skip
def test_what_is_no_curve_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        curves.read(SENT | wrong)
