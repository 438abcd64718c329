"""The tables of the database. Times are seconds since 1970; nothing here names a person beyond a nickname.

A change of the tables needs a migration in `classroom/migrations/versions/`; a test holds them against each other.
"""

from __future__ import annotations

from sqlalchemy import Float, ForeignKey, Index, MetaData, String, Text, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
_HERE = "NOT removed"


class Base(DeclarativeBase):
    """Base of all tables: how constraints are named."""

    metadata = MetaData(naming_convention=_NAMES)


class Classroom(Base):
    """A class. `changed` counts what its students see, `noted` all that the teacher sees."""

    __tablename__ = "room"

    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(8), unique=True)
    title: Mapped[str] = mapped_column(String(120))
    created: Mapped[float] = mapped_column(Float)
    ended: Mapped[float | None] = mapped_column(Float)
    view: Mapped[str] = mapped_column(Text)  # what the teacher shows: a page with its settings, "" for nothing yet
    shown: Mapped[int]  # how many views were shown
    until: Mapped[float | None] = mapped_column(Float)  # the end of the countdown
    choice: Mapped[str] = mapped_column(Text)  # the teacher's choice of pages, models and controls, as a link spells it
    changed: Mapped[int]
    noted: Mapped[int]
    test_kind: Mapped[str] = mapped_column(String(10))  # "all" or "two" versions of the lesson, "" without a test
    test_phase: Mapped[str] = mapped_column(String(10))  # one of `phases`
    locked: Mapped[bool]  # whether nobody else may join
    says: Mapped[str] = mapped_column(Text)  # JSON: what the lesson says to the view that is shown, by language


class Member(Base):
    """A teacher or a student in a class, found by the hash of a key that only their browser leads to.

    Nobody is in two classes. Who was removed from one may be in another, and stays removed from the first.
    """

    __tablename__ = "member"
    __table_args__ = (
        Index("ix_member_key", "key", unique=True, sqlite_where=text(_HERE), postgresql_where=text(_HERE)),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    classroom_id: Mapped[int] = mapped_column("room_id", ForeignKey("room.id", ondelete="CASCADE"), index=True)
    key: Mapped[str] = mapped_column(String(64))
    teacher: Mapped[bool]
    nickname: Mapped[str] = mapped_column(String(40))
    joined: Mapped[float] = mapped_column(Float)
    seen: Mapped[float] = mapped_column(Float)
    removed: Mapped[bool]  # by the teacher, who may let them back in: nobody sees what is theirs meanwhile


class Departure(Base):
    """Who has left a class: they may come back though it is full, and take a test as it was drawn for them."""

    __tablename__ = "departure"

    classroom_id: Mapped[int] = mapped_column("room_id", ForeignKey("room.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)  # hashed, as that of a member
    left: Mapped[float] = mapped_column(Float)
    group: Mapped[str] = mapped_column(String(10))  # of a participant, else ""
    first_form: Mapped[str] = mapped_column(String(1))


class Sentence(Base):
    """A sentence that a student typed, with the output of the model and the attention of one head."""

    __tablename__ = "sentence"

    id: Mapped[int] = mapped_column(primary_key=True)
    classroom_id: Mapped[int] = mapped_column("room_id", ForeignKey("room.id", ondelete="CASCADE"), index=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), index=True)
    made: Mapped[float] = mapped_column(Float)
    checkpoint: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    output: Mapped[str] = mapped_column(Text)
    picture: Mapped[str] = mapped_column(Text)  # JSON: labels of rows and columns, and the weights as bytes
    misfit: Mapped[str] = mapped_column(Text)  # JSON: why the model cannot read it, "" where it can
    hidden: Mapped[bool]


class Task(Base):
    """A question to the class: the teacher's own, one of the quiz, or one that asks for a prediction."""

    __tablename__ = "task"

    id: Mapped[int] = mapped_column(primary_key=True)
    classroom_id: Mapped[int] = mapped_column("room_id", ForeignKey("room.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(10))  # choice, text, quiz or predict
    name: Mapped[str] = mapped_column(String(200))  # of a question of the quiz, with its numbers
    question: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text)  # JSON: a list of [answer, its text]
    posed: Mapped[str] = mapped_column(
        Text
    )  # JSON of a question of the quiz: see `pages/shared/classroom/questions.py`
    opened: Mapped[float] = mapped_column(Float)
    closed: Mapped[float | None] = mapped_column(Float)


class Answer(Base):
    """The first answer of a student to a task."""

    __tablename__ = "answer"
    __table_args__ = (UniqueConstraint("task_id", "member_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("task.id", ondelete="CASCADE"), index=True)
    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), index=True)
    made: Mapped[float] = mapped_column(Float)
    text: Mapped[str] = mapped_column(Text)
    right: Mapped[bool | None]  # None where nothing says what is right
    sure: Mapped[int]  # the step of confidence of an answer to a prediction, from 1 on; 0 where none was asked for
    hidden: Mapped[bool]


class Participant(Base):
    """A student who agreed to take the test before and after the lesson; `id` is random."""

    __tablename__ = "participant"

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    classroom_id: Mapped[int] = mapped_column("room_id", ForeignKey("room.id", ondelete="CASCADE"), index=True)
    member_id: Mapped[int | None] = mapped_column(  # None for one who left when the test was closed
        ForeignKey("member.id", ondelete="CASCADE"), unique=True
    )
    group: Mapped[str] = mapped_column(String(10))  # "all", or "touch" or "picture" where two versions are compared
    first_form: Mapped[str] = mapped_column(String(1))  # of the questions before the lesson


class Reply(Base):
    """An answer of a participant to a question of the test, with seconds to the nearest five."""

    __tablename__ = "reply"

    participant_id: Mapped[str] = mapped_column(ForeignKey("participant.id", ondelete="CASCADE"), primary_key=True)
    phase: Mapped[str] = mapped_column(String(10), primary_key=True)  # "before" or "after"
    question: Mapped[str] = mapped_column(String(40), primary_key=True)
    choice: Mapped[int]  # -1 for "I do not know"
    right: Mapped[bool]
    seconds: Mapped[int]


class Training(Base):
    """The last training that a student ran on their own device, as far as it is told."""

    __tablename__ = "training"

    member_id: Mapped[int] = mapped_column(ForeignKey("member.id", ondelete="CASCADE"), primary_key=True)
    made: Mapped[float] = mapped_column(Float)
    curve: Mapped[str] = mapped_column(Text)  # JSON: see `training.curves.read`


class Process(Base):
    """A process of the server, and what it last told of itself."""

    __tablename__ = "process"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    noted: Mapped[float] = mapped_column(Float)
    report: Mapped[str] = mapped_column(Text)  # JSON


class Note(Base):
    """A note of a user beyond one session: answers in the quiz and in the course, a lesson that is being made."""

    __tablename__ = "note"

    owner: Mapped[str] = mapped_column(String(64), primary_key=True)  # hashed: see `keys`
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    text: Mapped[str] = mapped_column(Text)  # "" for one that was deleted
    noted: Mapped[float] = mapped_column(Float)
