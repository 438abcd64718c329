"""The lesson that a user gives, and the one that they make: kept for a day, as notes of their browser."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, replace
from typing import Any

from pages.shared.session.user_notes import note, noted

_KEY = "lessons"


@dataclass(frozen=True)
class Mine:
    """`playing` is a lesson as a link has it, "" for none; `draft` one's own as JSON values, or None.

    `time` tells this giving of a lesson from others: each begins at its first view.
    """

    playing: str = ""
    time: str = ""
    draft: dict[str, Any] | None = None
    editing: bool = False


def mine() -> Mine:
    """Lesson of this user."""
    text = noted(_KEY)
    return Mine(**json.loads(text)) if text else Mine()


def give(lesson: str) -> None:
    """Give a lesson, as a link has it, from its beginning."""
    change(playing=lesson, time=secrets.token_hex(8), editing=False)


def change(**values: object) -> None:
    """Change it."""
    new = replace(mine(), **values)  # type: ignore[arg-type]
    note(_KEY, lambda _: json.dumps(asdict(new), ensure_ascii=False))
