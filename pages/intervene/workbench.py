"""What the intervene page is about: the sentence's own run, the changes listed and applied, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.checkpoint import catalogue
from model.edit import change_edits, effects, notation
from model.errors import InvalidInput
from pages.shared.changes.in_link import EditState, sound
from pages.shared.models import cache as models
from pages.shared.models import warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import token_picker

_MOMENTS, _PARTS = "\x1e", "\x1f"  # between what can be undone; between a list and what was applied
_MOST = 20  # steps that can be undone


def read(current_run: CurrentRun) -> EditState:
    """The page's subject; what the link asks for in vain is said and left out."""
    with warmup.spinner():
        run = models.run(current_run.entry, current_run.sentence)
    applied = sound(current_run.entry, current_run.sentence, "changes")
    return EditState(current_run, run, _listed(applied), applied)


def _listed(applied: tuple[notation.Change, ...]) -> tuple[notation.Change, ...]:
    """The list that waits to be applied; one begun beside other changes (a tour's, a link's) is out of date."""
    draft, waits, beside = (view.kept("draft") or "").partition(_PARTS)
    return tuple(notation.read(draft)[0]) if waits and beside == notation.spell(applied) else applied


# the list


def put(state: EditState, listed: Sequence[notation.Change]) -> None:
    """Another list, not applied yet; without changes there is nothing to wait for."""
    draft = f"{notation.spell(listed)}{_PARTS}{notation.spell(state.applied)}" if listed else None
    view.keep(draft=draft, past=_remembered(state))
    if listed:
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
    draft, applied = last.split(_PARTS)
    view.keep(draft=None if draft == applied else last, past=_MOMENTS.join(past) or None)
    view.choose(changes=applied or None)


def can_undo() -> bool:
    """Whether there is a step to take back."""
    return bool(_past())


def _past() -> list[str]:
    return [moment for moment in (view.kept("past") or "").split(_MOMENTS) if moment]


def _remembered(state: EditState) -> str:
    return _MOMENTS.join([*_past(), f"{notation.spell(state.listed)}{_PARTS}{notation.spell(state.applied)}"][-_MOST:])


def fits(listed: Sequence[notation.Change]) -> bool:
    """Whether a list is short enough for a link."""
    return len(listed) <= notation.LIMIT and len(notation.spell(listed)) <= view.SETTING_LIMIT


# what it comes to


def outcomes(state: EditState) -> tuple[effects.Outcome, effects.Outcome] | None:
    """Unchanged, and under the changes applied; None, with a word about it, where they cannot run."""
    added = change_edits.padding(state.applied)
    before = outcome(state.entry, state.current_run.sentence, "", added)
    if not state.spelled:
        return before, before
    try:
        return before, outcome(state.entry, state.current_run.sentence, state.spelled, added)
    except InvalidInput as error:
        notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
        return None


@models.cached(8)
def outcome(entry: catalogue.Entry, sentence: str, spelled: str, padding: int) -> effects.Outcome:
    """A run under changes; raises `InvalidInput` where one cannot be made."""
    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    edits = [
        edit
        for change in notation.read(spelled)[0]
        for edit in change_edits.edits_of(checkpoint, run, change, padding)
    ]  # fmt: skip
    return effects.outcome(checkpoint, run, edits, padding)


@dataclass(frozen=True)
class Steps:
    """The words written (the tokens read, for an encoder alone), and the rows of the pass that they stand in."""

    tokens: tuple[str, ...]
    first: int
    ids: np.ndarray | None  # (T) of every row, the prompt's too


def steps(state: EditState) -> Steps:
    """What can be looked at word by word."""
    if not state.writes:
        has_words = "logits" in state.run.trace.values
        ids = effects.written(state.run) if has_words else None
        return Steps(state.run.trace.source_tokens, 0, ids)
    first = effects.first_step(models.checkpoint(state.entry), state.run)
    ids = effects.written(state.run)
    return Steps(models.tokenizer(state.entry).tokens(ids[first:].tolist()), first, ids)


def step(state: EditState) -> int:
    """Draw the control for the word that is looked at, and give its place among the steps."""
    tokens = steps(state).tokens
    label = words("intervene.step" if state.writes else "intervene.step_encoder")
    return token_picker.longest_first("step", label, tokens)
