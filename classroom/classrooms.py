"""Actions of teachers and students in a class. Every function is one transaction.

Codes of errors are those of `model.errors`: each says in one sentence what is wrong and what to do.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Engine, Select, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker

from classroom import limits, places
from classroom.asking import statements
from classroom.asking.checks import PREDICT, checked, graded
from classroom.keys import hashed, read_code
from classroom.phases import CLOSED
from classroom.tables import Answer, Classroom, Departure, Member, Participant, Sentence, Task
from classroom.texts import clean, clean_line, storable
from model.errors import InvalidInput


@dataclass(frozen=True)
class Membership:
    """Membership of one person in one class; `group` of one who takes the test before and after the lesson."""

    classroom: int
    member: int
    code: str
    teacher: bool
    ended: bool
    choice: str
    test_kind: str = ""
    test_phase: str = ""
    group: str = ""


# the fields of a `Membership`, of the owner of `key`
_MEMBERSHIP = (
    select(
        Classroom.id, Member.id, Classroom.code, Member.teacher, Classroom.ended.is_not(None), Classroom.choice,
        Classroom.test_kind, Classroom.test_phase, func.coalesce(Participant.group, ""),
    )
    .join(Classroom, Classroom.id == Member.classroom_id)
    .outerjoin(Participant, Participant.member_id == Member.id)
    .where(Member.key == bindparam("key"), Member.removed.is_(False))
)  # fmt: skip


class Classrooms:
    """All classes of a database."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time):
        self.clock = clock
        self._engine = engine
        self.writing = sessionmaker(engine.execution_options(writes=True), expire_on_commit=False).begin

    def reading(self) -> Session:
        """A session that only reads."""
        return Session(self._engine)

    # who is who

    def membership(self, key: str) -> Membership | None:
        """The class that the owner of `key` is in."""
        with self.reading() as session:
            row = session.execute(_MEMBERSHIP, {"key": hashed(key)}).one_or_none()
            return Membership(*row) if row else None

    def has_left(self, key: str, classroom: int) -> bool:
        """Whether the owner of `key` left this class by themselves, which is still there."""
        with self.reading() as session:
            member = select(Member.id).where(Member.key == hashed(key), Member.classroom_id == classroom)
            return session.scalar(member) is None and session.get(Departure, (classroom, hashed(key))) is not None

    def create(self, key: str, title: str, choice: str = "") -> Membership:
        """A new class, with the owner of `key` as its teacher; they leave the class that they were in."""
        title = clean_line(title)
        if len(title) > limits.TITLE:
            raise InvalidInput("class_long", limit=limits.TITLE)
        self.delete_old()
        with self.writing() as session:
            places.take_on_server(session, self.clock())
            classroom = Classroom(
                code=places.free_code(session), title=title, created=self.clock(), ended=None, view="", shown=0,
                until=None, choice=choice, changed=0, noted=0, test_kind="", test_phase="", locked=False, says="",
            )  # fmt: skip
            session.add(classroom)
            session.flush()
            return _membership(self._enter(session, classroom, key, "", teacher=True), classroom)

    def join(self, key: str, code: str, nickname: str = "") -> Membership:
        """Enter the class of that code as a student, or come back to it.

        Raises `InvalidInput` if there is none, if it is over, full or locked, or if its teacher has removed them.
        """
        nickname = clean_line(nickname)
        if len(nickname) > limits.NICKNAME:
            raise InvalidInput("class_long", limit=limits.NICKNAME)
        with self.writing() as session:
            classroom = session.scalar(select(Classroom).where(Classroom.code == read_code(code)))
            if classroom is None or classroom.created + limits.DAY < self.clock():
                raise InvalidInput("class_unknown")
            if classroom.ended is not None:
                raise InvalidInput("class_over")
            removed = select(Member.id).where(Member.classroom_id == classroom.id, Member.removed.is_(True))
            if session.scalar(removed.where(Member.key == hashed(key))) is not None:
                raise InvalidInput("class_removed")
            member = _member(session, key)
            if member is not None and member.classroom_id == classroom.id:
                member.nickname = nickname or member.nickname
                classroom.noted = Classroom.noted + 1  # type: ignore[assignment]
                session.flush()
                group = session.scalar(select(Participant.group).where(Participant.member_id == member.id))
                return _membership(member, classroom, group)
            if member is not None and member.teacher and not session.get_one(Classroom, member.classroom_id).ended:
                raise InvalidInput("class_teaches")
            places.take_in_class(session, classroom, hashed(key), self.clock())
            return _membership(self._enter(session, classroom, key, nickname, teacher=False), classroom)

    def leave(self, key: str) -> None:
        """Leave the class, with all that this member typed and answered. A teacher ends the class instead."""
        with self.writing() as session:
            member = _member(session, key)
            if member is None:
                return
            classroom = session.get_one(Classroom, member.classroom_id)
            if member.teacher:
                if classroom.ended is not None:
                    session.delete(classroom)
                return
            note_change(classroom, students=False)
            places.depart(session, member, self.clock())

    def seen(self, members: Mapping[int, float]) -> None:
        """Note when these members were last heard of."""
        with self.writing() as session:
            for member, when in members.items():
                session.execute(update(Member).where(Member.id == member).values(seen=when))

    # what the teacher does

    def show(self, me: Membership, view: str, says: Mapping[str, str] | None = None) -> None:
        """Show everyone a page with its settings; `says` is what a lesson says to it, by language."""
        view = storable(view)
        if len(view) > limits.VIEW:
            raise InvalidInput("class_long", limit=limits.VIEW)
        self._change(me, view=view, shown=Classroom.shown + 1, says=_packed(says))

    def say(self, me: Membership, says: Mapping[str, str]) -> None:
        """Let the lesson say something else to the view that is shown."""
        self._change(me, says=_packed(says))

    def count_down(self, me: Membership, minutes: float) -> None:
        """Start a countdown; 0 takes it away."""
        if not 0 <= minutes <= limits.MINUTES:
            raise InvalidInput("class_minutes", limit=limits.MINUTES)
        self._change(me, until=self.clock() + 60 * minutes if minutes else None)

    def choose(self, me: Membership, choice: str) -> None:
        """Set which pages, models and controls the students see."""
        self._change(me, choice=choice)

    def lock(self, me: Membership, locked: bool) -> None:
        """Let nobody join who was not here before, or let everybody."""
        self._change(me, locked=locked)

    def remove(self, me: Membership, members: Sequence[int], removed: bool) -> None:
        """Remove students, so that nobody sees what is theirs and they cannot come back; or let them back in.

        Who is in another class by then stays there, and may come back with the code.
        """
        with self.writing() as session:
            note_change(self.taught(session, me))
            own = Member.classroom_id == me.classroom, Member.teacher.is_(False)
            meant = Member.id.in_(members)
            if not removed:
                elsewhere = select(Member.key).where(Member.removed.is_(False))
                back = select(Member).where(*own, meant, Member.removed.is_(True), Member.key.in_(elsewhere))
                for member in session.scalars(back):  # they are in another class, and may come back
                    places.depart(session, member, self.clock())
            session.execute(update(Member).where(*own, meant).values(removed=removed))
            if _count(session, select(Member.id).where(*own, Member.removed.is_(False))) > limits.MEMBERS:
                raise InvalidInput("class_full", limit=limits.MEMBERS)

    def end(self, me: Membership) -> None:
        """End the class: students are free, nothing is asked any more, the results stay for an hour."""
        with self.writing() as session:
            classroom = self.taught(session, me)
            classroom.ended, classroom.until = self.clock(), None
            session.execute(_open_tasks(me.classroom).values(closed=classroom.ended))
            close_test(session, classroom)
            note_change(classroom)

    def hide(self, me: Membership, sentence: int, hidden: bool) -> None:
        """Hide a sentence from the wall, or show it again."""
        with self.writing() as session:
            self.taught(session, me).noted = Classroom.noted + 1  # type: ignore[assignment]
            session.execute(
                update(Sentence)
                .where(Sentence.id == sentence, Sentence.classroom_id == me.classroom)
                .values(hidden=hidden)
            )

    def hide_answer(self, me: Membership, task: int, text: str, hidden: bool) -> None:
        """Hide an answer that one or more students typed, or show it again."""
        with self.writing() as session:
            self.taught(session, me).noted = Classroom.noted + 1  # type: ignore[assignment]
            own = select(Task.id).where(Task.id == task, Task.classroom_id == me.classroom)
            same = update(Answer).where(Answer.task_id.in_(own), Answer.text == storable(text))
            session.execute(same.values(hidden=hidden))

    def ask(
        self, me: Membership, kind: str, question: str, options: Sequence[tuple[str, str]] = (), name: str = "",
        posed: Mapping[str, object] | None = None,
    ) -> int:  # fmt: skip
        """Put a question to the class, in place of the one before; `options` are answers with their texts.

        `posed` says how a question of the quiz or a prediction is put in another language: see
        `pages/shared/classroom/questions.py`.

        The question that is open stays as it is: a browser may ask twice where it heard no answer.
        """
        question, kept = checked(kind, question, options)
        with self.writing() as session:
            classroom = self.taught(session, me)
            if _count(session, select(Task.id).where(Task.classroom_id == me.classroom)) >= limits.TASKS:
                raise InvalidInput("class_tasks", limit=limits.TASKS)
            options_text = json.dumps([list(option) for option in kept], ensure_ascii=False)
            same = (
                Task.classroom_id == me.classroom,
                Task.closed.is_(None),
                Task.question == question,
                Task.options == options_text,
            )
            task_id = session.scalar(select(Task.id).where(*same, Task.kind == kind, Task.name == name))
            if task_id is not None:
                return task_id
            session.execute(_open_tasks(me.classroom).values(closed=self.clock()))
            task = Task(
                classroom_id=me.classroom, kind=kind, name=name, question=question, closed=None, opened=self.clock(),
                options=options_text, posed=json.dumps(posed, ensure_ascii=False) if posed else "",
            )  # fmt: skip
            session.add(task)
            note_change(classroom)
            session.flush()
            return task.id

    def close(self, me: Membership) -> None:
        """Take no more answers to the open question."""
        with self.writing() as session:
            note_change(self.taught(session, me))
            session.execute(_open_tasks(me.classroom).values(closed=self.clock()))

    # what a student does

    def answer(
        self, me: Membership, text: str, *, task: int | None = None, name: str = "", right: bool | None = None,
        sure: int = 0,
    ) -> str:  # fmt: skip
        """Answer the open question, by its number or its name, and return the answer as it is kept: the first one.

        One that has options takes only these. The page of the quiz, which knows what is right, answers by the name. An
        answer to a prediction says how `sure` it is (`model.predict.grading`), and is graded here.
        """
        choice, text = storable(text), clean(text)
        if not text:
            raise InvalidInput("class_answer")
        if len(text) > limits.ANSWER:
            raise InvalidInput("class_long", limit=limits.ANSWER)
        with suppress(IntegrityError), self.writing() as session:  # another tab of theirs may be first
            meant = {"classroom": me.classroom, "task": task, "name": storable(name)}
            open_task = session.execute(
                statements.OPEN_BY_NUMBER if task else statements.OPEN_BY_NAME, meant
            ).one_or_none()
            if open_task is None:
                if task:
                    raise InvalidInput("class_closed")
                return text
            if task and open_task.kind == "quiz":
                raise InvalidInput("class_quiz")
            options = [option for option, _ in json.loads(open_task.options)]
            if options and choice not in options:
                raise InvalidInput("class_option")
            text = choice if options else text
            if open_task.kind == PREDICT:
                right = graded(open_task.posed, text, sure)
            asked = {"task": open_task.id, "member": me.member, "text": text}
            earlier, removed, hidden = session.execute(statements.BEFORE_ANSWER, asked).one()
            if earlier is None and not me.teacher and removed is False:
                values = {
                    "task_id": open_task.id, "member_id": me.member, "made": self.clock(), "text": text, "right": right,
                    "hidden": bool(hidden), "sure": sure if open_task.kind == PREDICT else 0,
                }  # fmt: skip
                session.execute(insert(Answer).values(values))
                session.execute(
                    statements.NOTE_ANSWER, {"classroom": me.classroom}, execution_options=statements.IN_DATABASE
                )
            return earlier or text
        return text

    def type(
        self, me: Membership, checkpoint: str, text: str, output: str, picture: str,
        misfit: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        """Put a sentence on the teacher's wall; the same one of the same member and model stands there once.

        `misfit` says why the model cannot read it (`pages/shared/classroom/board.py`).
        """
        text, output, picture = clean(text), clean(output), storable(picture)
        with self.writing() as session:
            classroom = session.get_one(Classroom, me.classroom)
            own = select(Sentence.id).where(Sentence.classroom_id == me.classroom)
            same = own.where(Sentence.member_id == me.member, Sentence.text == text, Sentence.checkpoint == checkpoint)
            if me.teacher or classroom.ended is not None or not self.takes_part(session, me):
                return
            if session.scalar(same) is not None:
                return
            if _count(session, own) >= limits.SENTENCES:
                return
            session.add(
                Sentence(
                    classroom_id=me.classroom, member_id=me.member, made=self.clock(), checkpoint=checkpoint, text=text,
                    output=output, picture=picture, hidden=False,
                    misfit=json.dumps(misfit) if misfit else "",
                )
            )  # fmt: skip
            note_change(classroom, students=False)

    def delete_old(self) -> None:
        """Delete the classes whose time is over, with all that is in them."""
        with self.writing() as session:
            places.delete_old(session, self.clock())

    def taught(self, session: Session, me: Membership) -> Classroom:
        """The class of a teacher that is not over; everybody else is refused."""
        teacher = session.scalar(
            select(Member.teacher).where(Member.id == me.member, Member.classroom_id == me.classroom)
        )
        if not teacher:
            raise InvalidInput("class_teacher")
        classroom = session.get_one(Classroom, me.classroom)
        if classroom.ended is not None:
            raise InvalidInput("class_over")
        return classroom

    def takes_part(self, session: Session, me: Membership) -> bool:
        """Whether this student is still in the class: a session may believe for some seconds what has changed."""
        return session.scalar(select(Member.removed).where(Member.id == me.member)) is False

    # inside

    def _change(self, me: Membership, **values: object) -> None:
        with self.writing() as session:
            classroom = self.taught(session, me)
            for name, value in values.items():
                setattr(classroom, name, value)
            note_change(classroom)

    def _enter(self, session: Session, classroom: Classroom, key: str, nickname: str, teacher: bool) -> Member:
        before = _member(session, key)
        if before is not None:
            if before.teacher:
                session.delete(session.get_one(Classroom, before.classroom_id))
                session.flush()
            else:
                places.depart(session, before, self.clock())
        now = self.clock()
        member = Member(
            classroom_id=classroom.id, key=hashed(key), teacher=teacher, nickname=nickname, joined=now, seen=now,
            removed=False,
        )  # fmt: skip
        session.add(member)
        note_change(classroom, students=False)
        session.flush()
        return member


def close_test(session: Session, classroom: Classroom) -> None:
    """Take no more answers to the test of a class; those of students who are removed do not count."""
    if classroom.test_kind and classroom.test_phase != CLOSED:
        removed = select(Member.id).where(Member.classroom_id == classroom.id, Member.removed.is_(True))
        session.execute(delete(Participant).where(Participant.member_id.in_(removed)))
        classroom.test_phase = CLOSED


def note_change(classroom: Classroom, students: bool = True) -> None:
    """Count a change, so that those who watch look again."""
    classroom.noted = Classroom.noted + 1  # type: ignore[assignment]
    if students:
        classroom.changed = Classroom.changed + 1  # type: ignore[assignment]


def _membership(member: Member, classroom: Classroom, group: str | None = None) -> Membership:
    return Membership(
        classroom.id, member.id, classroom.code, member.teacher, classroom.ended is not None, classroom.choice,
        classroom.test_kind, classroom.test_phase, group or "",
    )  # fmt: skip


def _member(session: Session, key: str) -> Member | None:
    """The owner of a key in the class that they are in; those where they are removed do not count."""
    return session.scalar(select(Member).where(Member.key == hashed(key), Member.removed.is_(False)))


def _packed(says: Mapping[str, str] | None) -> str:
    return json.dumps({language: clean(text) for language, text in says.items()}, ensure_ascii=False) if says else ""


def _count(session: Session, which: Select[int]) -> int:
    return session.scalar(select(func.count()).select_from(which.subquery())) or 0


def _open_tasks(classroom: int):  # type: ignore[no-untyped-def]
    return update(Task).where(Task.classroom_id == classroom, Task.closed.is_(None))
