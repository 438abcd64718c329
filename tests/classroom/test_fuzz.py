"""A class under random acts of its teacher, its students and strangers, with texts of all kinds. The seed is fixed."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from sqlalchemy import select

from classroom import keys, limits, results
from classroom.classrooms import Classrooms, Membership
from classroom.learning import bank, participants
from classroom.tables import Answer, Classroom, Member, Task
from classroom.watch import Watch
from model.errors import InvalidInput
from tests.classroom.conftest import TEACHER, Clock

STEPS, PEOPLE = 400, 30
WILD = (
    "", " ", "Kino", "heute", "\u202eKino", "Kino\x00", "\ud800", "=1+1", "<b>x</b>", "a\nb", "x" * 700, "\u200b",
    "م", "👩‍👧", "{0}", "%s", "\\", "'); DROP TABLE member; --",
)  # fmt: skip


class Play:
    """One class, its teacher, and people who are in it or not."""

    def __init__(self, classrooms: Classrooms, clock: Clock, seed: int):
        self.classrooms, self.clock, self.random = classrooms, clock, random.Random(seed)
        self.keys = [keys.key_of(f"person {number}") for number in range(PEOPLE)]
        self.teacher = classrooms.create(TEACHER, "Fuzz")
        self.tasks: list[int] = []

    def text(self) -> str:
        return "".join(self.random.choices(WILD, k=self.random.randint(1, 2)))

    def someone(self) -> Membership:
        """Somebody in the class, who may have left since then, or the teacher."""
        mine = self.classrooms.membership(self.random.choice(self.keys))
        return mine or self.teacher

    def task(self) -> int:
        return self.random.choice([*self.tasks, 10**6])

    def ask(self, me: Membership, kind: str, text: str) -> None:
        options = [(each, each) for each in ("Kino", "heute", text)] if kind == "choice" else []
        self.tasks.append(self.classrooms.ask(me, kind, text, options, name="q"))

    def act(self) -> None:
        one, some = self.random, self.classrooms
        key, me, text = one.choice(self.keys), self.someone(), self.text()
        member, phase = one.choice([me.member, 1, 10**6]), one.choice(["before", "after", text])
        acts: list[Callable[[], object]] = [
            lambda: some.join(key, one.choice([self.teacher.code, self.teacher.code, "", text]), self.text()),
            lambda: some.join(key, self.teacher.code),
            lambda: some.leave(key),
            lambda: some.create(key, text),
            lambda: some.type(me, "de-en", text, self.text(), "{}"),
            lambda: some.answer(me, text, task=self.task()),
            lambda: some.answer(me, one.choice(["Kino", "heute"]), task=self.task()),
            lambda: some.answer(me, text, name=one.choice(["q", text]), right=one.choice([True, False, None])),
            lambda: self.ask(one.choice([me, self.teacher]), "choice", text),
            lambda: self.ask(self.teacher, one.choice(["text", "quiz"]), text),
            lambda: some.close(me),
            lambda: some.show(me, text, {"en": text}),
            lambda: some.say(self.teacher, {"zh": text}),
            lambda: some.lock(one.choice([me, self.teacher]), one.random() < 0.3),
            lambda: some.remove(one.choice([me, self.teacher]), [member, me.member], one.random() < 0.6),
            lambda: some.hide_answer(self.teacher, self.task(), text, True),
            lambda: participants.set_up(some, one.choice([me, self.teacher]), one.choice(["", "all", "two", text])),
            lambda: participants.go_to(some, self.teacher, one.choice(["before", "lesson", "after", text])),
            lambda: participants.take_part(some, me),
            lambda: participants.answer(some, me, phase, one.choice([*bank.by_id(), text]), one.randint(-2, 5), 3.0),
            lambda: participants.close(some, self.teacher) if one.random() < 0.2 else None,
            lambda: some.seen({me.member: self.clock.now}),
            lambda: setattr(self.clock, "now", self.clock.now + one.choice([1.0, 12.0, 30.0])),
        ]  # fmt: skip
        with suppress(InvalidInput):  # ours, each a sentence; anything else fails the test
            one.choice(acts)()


def check(play: Play) -> None:
    """What holds whatever anybody does."""
    classrooms, teacher = play.classrooms, play.teacher
    me = classrooms.membership(TEACHER)
    assert me is not None
    assert (me.teacher, me.classroom) == (True, teacher.classroom)
    with classrooms.reading() as session:
        for each in session.scalars(select(Classroom)):
            inside = session.scalars(
                select(Member).where(Member.classroom_id == each.id, Member.removed.is_(False))
            ).all()
            assert len([member for member in inside if not member.teacher]) <= limits.MEMBERS
            assert len([member for member in inside if member.teacher]) == 1
        for answer, task in session.execute(select(Answer, Task).join(Task, Task.id == Answer.task_id)):
            assert task.kind != "choice" or f'"{answer.text}"' in task.options
            assert not set(answer.text) & set("\x00\ud800\u202e")
    snapshot = Watch(classrooms).look(teacher.classroom)
    assert snapshot is not None
    assert not set(snapshot.board["removed"]) & set(snapshot.members)
    assert not {each["member"] for each in snapshot.board["sentences"]} - set(snapshot.members)
    assert results.table(classrooms, teacher)
    if participants.rows(classrooms, teacher):
        assert me.test_phase == "closed"


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_anybody_does_the_class_holds(
    classrooms: Classrooms, clock: Clock, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, limit in (("MEMBERS", 8), ("DEPARTED", 8), ("CLASSROOMS", 6), ("SENTENCES", 40), ("TASKS", 30)):
        monkeypatch.setattr(limits, name, limit)
    play = Play(classrooms, clock, seed)
    for step in range(STEPS):
        play.act()
        classrooms.seen({play.teacher.member: clock.now})
        if step % 20 == 0:
            check(play)
    check(play)
    play.classrooms.end(play.teacher)
    assert play.classrooms.membership(TEACHER).ended  # type: ignore[union-attr]
