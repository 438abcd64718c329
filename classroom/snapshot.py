"""A class as it stands, for those who watch it: what every student sees, and the teacher's board."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from classroom import limits, places
from classroom.asking.checks import PREDICT
from classroom.keys import spelled
from classroom.tables import Answer, Classroom, Member, Sentence, Task
from classroom.training import curves

Json = dict[str, Any]


@dataclass
class Snapshot:
    """A class at one moment. `changed` and `noted` are the counts of `tables.Classroom`."""

    classroom: int
    changed: int
    noted: int
    until: float | None
    students: Json  # what everyone sees
    answered: dict[int, str]  # by student, what they answered to the question in view
    members: dict[int, float]  # by member, when they were last heard of
    teachers: set[int]
    board: Json = field(default_factory=dict)  # what only the teacher sees

    def present(self, now: float) -> list[int]:
        """The students whose browsers were heard of lately."""
        members = [member for member, moment in self.members.items() if now - moment <= limits.PRESENT]
        return [member for member in members if member not in self.teachers]


def take(session: Session, classroom_id: int) -> Snapshot | None:
    """The class now, or None if it is gone."""
    classroom = session.get(Classroom, classroom_id, populate_existing=True)
    if classroom is None:
        return None
    tasks = list(session.scalars(select(Task).where(Task.classroom_id == classroom_id).order_by(Task.id.desc())))
    answers: dict[int, list[Any]] = {task.id: [] for task in tasks}
    columns = (Answer.task_id, Answer.member_id, Answer.text, Answer.right, Answer.hidden, Answer.sure)
    of_class = (
        select(*columns)
        .join(Task, Task.id == Answer.task_id)
        .join(Member, Member.id == Answer.member_id)
        .where(Task.classroom_id == classroom_id, Member.removed.is_(False))
        .order_by(Answer.id)
    )
    for answer in session.execute(of_class):
        answers[answer.task_id].append(answer)
    questions = [_asked(task, answers[task.id]) for task in tasks]  # the newest first
    of_member = (
        Member.id,
        Member.nickname,
        Member.teacher,
        Member.removed,
        Member.seen,
        places.is_idle().label("idle"),
    )
    members = session.execute(
        select(*of_member).where(Member.classroom_id == classroom_id).order_by(Member.joined)
    ).all()  # fmt: skip
    # a prediction stays in view, with what was measured, until something else is asked
    in_view = tasks[0] if tasks and (tasks[0].closed is None or tasks[0].kind == PREDICT) else None
    return Snapshot(
        classroom=classroom_id,
        changed=classroom.changed,
        noted=classroom.noted,
        until=classroom.until,
        students={
            "code": spelled(classroom.code),
            "title": classroom.title,
            "ended": classroom.ended is not None,
            "view": classroom.view,
            "shown": classroom.shown,
            "says": json.loads(classroom.says) if classroom.says else {},
            "choice": classroom.choice,
            "test": f"{classroom.test_kind} {classroom.test_phase}",
            "task": task_of(in_view) if in_view else None,
        },
        answered={answer.member_id: answer.text for answer in answers[in_view.id]} if in_view else {},
        members={member.id: member.seen for member in members if not member.removed},
        teachers={member.id for member in members if member.teacher},
        board={
            "members": [[member.id, member.nickname, member.teacher] for member in members],
            "removed": [member.id for member in members if member.removed],
            "idle": [member.id for member in members if member.idle and not member.teacher],
            "locked": classroom.locked,
            "asked": questions[0] if questions else None,
            "earlier": questions[1:],
            "predictions": _predictions(tasks, answers),
            "trainings": curves.of_class(session, classroom_id),
            "sentences": [_sentence(*row) for row in session.execute(_sentences(classroom_id))],
        },
    )


def task_of(task: Task) -> Json:
    """A question as it was put; `posed` says how to put it in another language, None where a teacher typed it.

    A prediction says whether it is still open.
    """
    content = {
        "id": task.id,
        "kind": task.kind,
        "question": task.question,
        "options": json.loads(task.options),
        "posed": json.loads(task.posed) if task.posed else None,
    }
    return content | ({"open": task.closed is None} if task.kind == PREDICT else {})


def _asked(task: Task, answers: list[Any]) -> Json:
    texts = sorted({answer.text for answer in answers if answer.hidden})
    asked = task_of(task) | {"open": task.closed is None, "answers": _counted(answers), "hidden": texts}
    if task.kind != PREDICT:
        return asked
    if task.closed is None:  # nobody sees what is right
        return asked | {"answers": [[text, count, None] for text, count, _ in asked["answers"]]}
    from classroom.asking import predictions

    return asked | {"result": predictions.of_question(task.posed, answers)}


def _predictions(tasks: list[Task], answers: dict[int, list[Any]]) -> Json | None:
    """What all closed predictions say of the class; None without an answer."""
    closed = [task for task in reversed(tasks) if task.kind == PREDICT and task.closed is not None]
    if not any(answers[task.id] for task in closed):
        return None
    from classroom.asking import predictions

    given = tuple(
        predictions.Given(answer.member_id, task.posed, answer.text, bool(answer.right), answer.sure)
        for task in closed
        for answer in answers[task.id]
    )
    return predictions.of_class(given)


def _counted(answers: list[Any]) -> list[list[object]]:
    """Each answer, how many gave it, and whether it is right: the most frequent first."""
    right = {answer.text: answer.right for answer in answers}
    return [[text, count, right[text]] for text, count in Counter(answer.text for answer in answers).most_common()]


def _sentences(classroom_id: int):  # type: ignore[no-untyped-def]
    return (
        select(Sentence, Member.nickname)
        .join(Member, Member.id == Sentence.member_id)
        .where(Sentence.classroom_id == classroom_id, Member.removed.is_(False))
        .order_by(Sentence.id)
    )


def _sentence(sentence: Sentence, nickname: str) -> Json:
    return {
        "id": sentence.id,
        "by": nickname,
        "member": sentence.member_id,
        "checkpoint": sentence.checkpoint,
        "text": sentence.text,
        "output": sentence.output,
        "picture": json.loads(sentence.picture),
        "misfit": json.loads(sentence.misfit) if sentence.misfit else None,
        "hidden": sentence.hidden,
    }
