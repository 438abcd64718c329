"""State of the intervene page: the sentence's own run with the changes listed and applied."""

from __future__ import annotations

from collections.abc import Sequence

from model.edit import notation
from pages.intervene.undo import PARTS
from pages.shared.changes.in_link import EditState, sound
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view


def read(current_run: CurrentRun) -> EditState:
    """The page's subject; what the link asks for in vain is said and left out."""
    with warmup.spinner():
        run = models.run(current_run.entry, current_run.sentence)
    changes = sound(current_run.entry, current_run.sentence, "changes")
    return EditState(current_run, run, _listed(changes), changes)


def _listed(changes: tuple[notation.Change, ...]) -> tuple[notation.Change, ...]:
    """The list that waits to be applied; one begun beside other changes (a tour's, a link's) is out of date."""
    draft, waits, beside = (view.kept("draft") or "").partition(PARTS)
    return tuple(notation.read(draft)[0]) if waits and beside == notation.spell(changes) else changes


def fits(changes: Sequence[notation.Change]) -> bool:
    """Whether a list is short enough for a link."""
    return len(changes) <= notation.LIMIT and len(notation.spell(changes)) <= view.SETTING_LIMIT
