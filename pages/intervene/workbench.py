"""What the intervene page is about: the sentence's own run, the changes listed and applied, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.changes.in_link import EditState, sound
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.models.warmup import is_warm
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls

if TYPE_CHECKING:
    import numpy as np

    from model.edit.edits import Edit
    from model.edit.effects import Outcome
    from model.edit.notation import Change


FEW = 16  # words that fit beside each other; more go into a list
_MOMENTS, _PARTS = "\x1e", "\x1f"  # between what can be undone; between a list and what was applied
_MOST = 20  # steps that can be undone


def bench(current_run: CurrentRun) -> EditState:
    """The page's subject; what the link asks for in vain is said and left out."""
    with nullcontext() if is_warm() else st.spinner(words("notice.running")):
        run = models.run(current_run.entry, current_run.sentence)
    applied = sound(current_run.entry, current_run.sentence, "changes")
    return EditState(current_run, run, _listed(applied), applied)


def _listed(applied: tuple[Change, ...]) -> tuple[Change, ...]:
    """The list that waits to be applied; one begun beside other changes (a tour's, a link's) is out of date."""
    from model.edit.notation import read, spell

    draft, waits, beside = (view.kept("draft") or "").partition(_PARTS)
    return tuple(read(draft)[0]) if waits and beside == spell(applied) else applied


# the list


def put(bench: EditState, listed: Sequence[Change]) -> None:
    """Another list, not applied yet; without changes there is nothing to wait for."""
    from model.edit.notation import spell

    draft = f"{spell(listed)}{_PARTS}{spell(bench.applied)}" if listed else None
    view.keep(draft=draft, past=_remembered(bench))
    if listed:
        view.choose()
    else:
        view.choose(changes=None)


def apply(bench: EditState) -> None:
    """Run with what is listed."""
    from model.edit.notation import spell

    view.keep(draft=None, past=_remembered(bench))
    view.choose(changes=spell(bench.listed) or None)


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


def _remembered(bench: EditState) -> str:
    from model.edit.notation import spell

    return _MOMENTS.join([*_past(), f"{spell(bench.listed)}{_PARTS}{spell(bench.applied)}"][-_MOST:])


def fits(listed: Sequence[Change]) -> bool:
    """Whether a list is short enough for a link."""
    from model.edit.notation import LIMIT, spell

    return len(listed) <= LIMIT and len(spell(listed)) <= view.SETTING_LIMIT


# what it comes to


def outcomes(bench: EditState) -> tuple[Outcome, Outcome] | None:
    """Unchanged, and under the changes applied; None, with a word about it, where they cannot run."""
    from model.edit.notation import padding

    added = padding(bench.applied)
    before = outcome(bench.entry, bench.current_run.sentence, "", added)
    if not bench.spelled:
        return before, before
    try:
        return before, outcome(bench.entry, bench.current_run.sentence, bench.spelled, added)
    except InvalidInput as error:
        notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
        return None


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=models.BY_CONTENT)
def outcome(entry: catalogue.Entry, sentence: str, spelled: str, padding: int) -> Outcome:
    """A run under changes; raises `InvalidInput` where one cannot be made."""
    from model.edit import effects, notation

    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    edits: list[Edit] = [
        edit
        for change in notation.read(spelled)[0]
        for edit in notation.edits_of(checkpoint, run, change, padding)
    ]  # fmt: skip
    return effects.outcome(checkpoint, run, edits, padding)


@dataclass(frozen=True)
class Steps:
    """The words written (the tokens read, for an encoder alone), and the rows of the pass that they stand in."""

    tokens: tuple[str, ...]
    first: int
    ids: np.ndarray | None  # (T) of every row, the prompt's too


def steps(bench: EditState) -> Steps:
    """What can be looked at word by word."""
    from model.edit import effects

    if not bench.writes:
        has_words = "logits" in bench.run.trace.values
        ids = effects.written(bench.run) if has_words else None
        return Steps(bench.run.trace.source_tokens, 0, ids)
    first = effects.first_step(models.checkpoint(bench.entry), bench.run)
    ids = effects.written(bench.run)
    return Steps(models.tokenizer(bench.entry).tokens(ids[first:].tolist()), first, ids)


def step(bench: EditState) -> int:
    """Draw the control for the word that is looked at, and give its place among the steps."""
    tokens = steps(bench).tokens
    label = words("intervene.step" if bench.writes else "intervene.step_encoder")
    lengths = [len(token) if token[0] != "<" else 0 for token in tokens]
    default = lengths.index(max(lengths))
    titles = [f"{token} ({i})" if token in tokens[:i] else token for i, token in enumerate(tokens)]
    if len(tokens) <= FEW:
        return controls.choice("step", label, {i: notices.plain(title) for i, title in enumerate(titles)}, default)
    return controls.select("step", label, dict(enumerate(titles)), default)
