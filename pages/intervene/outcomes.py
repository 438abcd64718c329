"""Outcomes of the applied changes, beside the unchanged run."""

from __future__ import annotations

from dataclasses import replace

from model.attribution import norm_based_attention
from model.checkpoint import catalogue
from model.edit import change_edits, edit_effects
from model.errors import InvalidInput
from pages.shared.changes.in_link import EditState
from pages.shared.models import models
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui.switches import value_switch


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


def norms(state: EditState) -> tuple[value_switch.Shares, value_switch.Shares]:
    """Shares of norms in place of the weights of both passes, by kind, (L, H, Q, K)."""
    padding = change_edits.padding(state.applied)
    about = state.entry, state.current_run.sentence
    return _norms(*about, "", padding), _norms(*about, state.spelled, padding)


@models.cached(beside="if free")
def _norms(entry: catalogue.Entry, sentence: str, changes: str, padding: int) -> value_switch.Shares:
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    edits = change_edits.edits_of_link(checkpoint, run, changes, padding)
    values = edit_effects.edited_values(checkpoint, run, edits, padding)
    return norm_based_attention.of_every_kind(checkpoint.model, replace(run.trace, values=values))


@models.cached(beside=lambda entry, sentence, changes, padding: bool(changes or padding))
def outcome(entry: catalogue.Entry, sentence: str, changes: str, padding: int) -> edit_effects.Outcome:
    """A run under changes; raises `InvalidInput` where one cannot be made."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    edits = change_edits.edits_of_link(checkpoint, run, changes, padding)
    return edit_effects.outcome(checkpoint, run, edits, padding)
