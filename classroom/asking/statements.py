"""Statements that many students send at a time: made once, and reading no whole rows.

Symptom: while five hundred answered, half of the server's work was to make statements and to load rows as objects.
"""

from sqlalchemy import bindparam, select, update

from classroom.tables import Answer, Classroom, Member, Task

_OPEN = select(Task.id, Task.kind, Task.options, Task.posed).where(
    Task.classroom_id == bindparam("classroom"), Task.closed.is_(None)
)
OPEN_BY_NUMBER = _OPEN.where(Task.id == bindparam("task"))
OPEN_BY_NAME = _OPEN.where(Task.name == bindparam("name"))
_TO_TASK = Answer.task_id == bindparam("task")
# what this member has answered, whether they were removed (None: gone), and whether the same answer is hidden
BEFORE_ANSWER = select(
    select(Answer.text).where(_TO_TASK, Answer.member_id == bindparam("member")).scalar_subquery(),
    select(Member.removed).where(Member.id == bindparam("member")).scalar_subquery(),
    select(Answer.hidden).where(_TO_TASK, Answer.text == bindparam("text")).limit(1).scalar_subquery(),
)
NOTE_ANSWER = update(Classroom).where(Classroom.id == bindparam("classroom")).values(noted=Classroom.noted + 1)
IN_DATABASE = {"synchronize_session": False}  # no row of it is in the session
