"""Users' notes in the database of the classes, so that answers in the quiz survive the process that took them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classroom import keys
from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.session.user_notes import NOTES, Change

if TYPE_CHECKING:
    from classroom.classrooms import Classrooms


class DatabaseKeeper:
    """Keeps notes under a hash of the user's name; see `user_notes.Keeper`."""

    def read(self, user: str) -> dict[str, tuple[str, float]] | None:
        """The user's notes, None while the database is not open or does not answer."""
        from classroom import notes

        if not my_class.is_open():
            return None
        try:
            return my_class.ask(lambda: notes.read(my_class.classrooms(), _owner(user)))
        except InvalidInput:
            return None

    def write(self, user: str, key: str, text: str, when: float) -> None:
        """Write it now or later; the first note opens the database."""
        from classroom import notes

        my_class.outbox().send(lambda: notes.write(_opened(), _owner(user), key, text, when))

    def change(self, user: str, key: str, change: Change, when: float) -> None:
        """Change it now or later, in the same way."""
        from classroom import notes

        my_class.outbox().send(lambda: notes.change(_opened(), _owner(user), key, change, when))


def keep() -> None:
    """Keep all notes from now on."""
    NOTES.keeper = DatabaseKeeper()


def _owner(user: str) -> str:
    return keys.hashed(keys.key_of(user))


def _opened() -> Classrooms:
    """The database; raises OSError where it cannot be opened, so that it is tried again."""
    try:
        return my_class.classrooms()
    except InvalidInput as error:
        raise OSError(error.code) from error
