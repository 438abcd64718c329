"""Outcomes of the applied changes, beside the unchanged run."""

from __future__ import annotations

from model.checkpoint import catalogue
from model.edit import change_edits, edit_effects
from model.errors import InvalidInput
from pages.shared.changes.in_link import EditState
from pages.shared.models import models
from pages.shared.text import notices
from pages.shared.text.words import refusal, words


def outcomes(state: EditState) -> tuple[edit_effects.Outcome, edit_effects.Outcome] | None:
    """Unchanged, and under the changes applied; None, with a word about it, where they cannot run."""
    padding = change_edits.padding(state.applied)
    before = outcome(state.entry, state.current_run.sentence, "", padding)
    if not state.spelled:
        return before, before
    try:
        return before, outcome(state.entry, state.current_run.sentence, state.spelled, padding)
    except InvalidInput as error:
        notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
        return None


@models.cached
def outcome(entry: catalogue.Entry, sentence: str, changes: str, padding: int) -> edit_effects.Outcome:
    """A run under changes; raises `InvalidInput` where one cannot be made."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    edits = change_edits.edits_of_link(checkpoint, run, changes, padding)
    return edit_effects.outcome(checkpoint, run, edits, padding)
