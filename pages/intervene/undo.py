"""Actions on the list of changes, each of which can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from model.edit import notation
from pages.shared.changes.in_link import EditState
from pages.shared.session import view

_MOMENTS = "\x1e"  # between what can be undone
PARTS = "\x1f"  # between a list and what was applied
_MOST = 20  # steps that can be undone


def put(state: EditState, changes: Sequence[notation.Change]) -> None:
    """Another list, not applied yet; without changes there is nothing to wait for."""
    draft = f"{notation.spell(changes)}{PARTS}{notation.spell(state.applied)}" if changes else None
    view.keep(draft=draft, past=_remembered(state))
    if changes:
        view.choose()
    else:
        view.choose(changes=None)


def apply(state: EditState) -> None:
    """Run with what is listed."""
    view.keep(draft=None, past=_remembered(state))
    view.choose(changes=notation.spell(state.listed) or None)


def undo() -> None:
    """Back to the list of before the last step, applied or not as it was then."""
    *past, last = _past()
    draft, changes = last.split(PARTS)
    view.keep(draft=None if draft == changes else last, past=_MOMENTS.join(past) or None)
    view.choose(changes=changes or None)


def can_undo() -> bool:
    """Whether there is a step to take back."""
    return bool(_past())


def _past() -> list[str]:
    return [moment for moment in (view.kept("past") or "").split(_MOMENTS) if moment]


def _remembered(state: EditState) -> str:
    return _MOMENTS.join([*_past(), f"{notation.spell(state.listed)}{PARTS}{notation.spell(state.applied)}"][-_MOST:])
