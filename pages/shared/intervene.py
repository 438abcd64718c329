"""What the intervene page is about: the sentence's own run, the changes listed and applied, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model import catalogue
from model.refused import Refused
from pages.shared import controls, models, notices, view
from pages.shared.reading import Reading
from pages.shared.warmup import is_warm
from pages.shared.words import refusal, words

if TYPE_CHECKING:
    import numpy as np

    from model.changes import Change
    from model.edits import Edit
    from model.interventions import Outcome
    from model.translation import Translation

FEW = 16  # words that fit beside each other; more go into a list
_MOMENTS, _PARTS = "\x1e", "\x1f"  # between what can be undone; between a list and what was applied
_MOST = 20  # steps that can be undone


@dataclass(frozen=True)
class Bench:
    """A sentence, what the model makes of it, and the changes: those listed, and those that were applied."""

    reading: Reading
    run: Translation
    listed: tuple[Change, ...]
    applied: tuple[Change, ...]

    @property
    def entry(self) -> catalogue.Entry:
        return self.reading.entry

    @property
    def writes(self) -> bool:
        """Whether the model writes words; an encoder alone does not."""
        return bool(self.run.target)

    @property
    def spelled(self) -> str:
        """What was applied and is switched on, as in a link."""
        from model.changes import spell

        return spell(change for change in self.applied if change.on)


def example() -> str:
    """A change that every model shows, as in a link: the heads that look at the sentence are switched off."""
    kind = "cross"
    with suppress(Refused):  # the page itself says what is wrong with the checkpoint
        entry = view.entry()
        architecture = entry.config["architecture"] if entry else ""
        kind = architecture if architecture in ("encoder", "decoder") else "cross"
    return f"off:{kind}.*.*"


def bench(reading: Reading) -> Bench:
    """The page's subject; what the link asks for in vain is said and left out."""
    with nullcontext() if is_warm() else st.spinner(words("notice.running")):
        run = models.run(reading.entry, reading.sentence)
    applied = sound(reading.entry, reading.sentence, "changes")
    return Bench(reading, run, _listed(applied), applied)


def _listed(applied: tuple[Change, ...]) -> tuple[Change, ...]:
    """The list that waits to be applied; one begun beside other changes (a tour's, a link's) is out of date."""
    from model.changes import read, spell

    draft, waits, beside = (view.kept("draft") or "").partition(_PARTS)
    return tuple(read(draft)[0]) if waits and beside == spell(applied) else applied


def sound(entry: catalogue.Entry, sentence: str, key: str) -> tuple[Change, ...]:
    """The changes of a setting that a model and a sentence have a place for; the others are said and let go."""
    from model.changes import LIMIT, read, spell

    found, bad = read(view.setting(key) or "")
    many = [part for part in bad if read(part)[0]]  # each alone would have done
    for part in bad:
        if part not in many:
            notices.say("warning", words("intervene_list.bad", value=part[:40]))
    if many:
        notices.say("warning", words("intervene_list.many", limit=LIMIT, count=len(many)))
    kept = []
    for change in found:
        if said := refused(entry, sentence, change):
            notices.say("warning", words("intervene_list.refused", value=change.spelled()[:40], problem=said))
        else:
            kept.append(change)
    if bad or len(kept) < len(found):
        settings = view.view().settings.setdefault(view.view().page, {})
        settings[key] = spell(kept)
    return tuple(kept)


def refused(entry: catalogue.Entry, sentence: str, change: Change) -> str | None:
    """Why a change cannot be made, in a sentence; nothing is run to find out."""
    from model import changes

    try:
        changes.check(models.checkpoint(entry), models.run(entry, sentence), change)
    except Refused as error:
        return refusal(error)
    return None


# the list


def put(bench: Bench, listed: Sequence[Change]) -> None:
    """Another list, not applied yet; without changes there is nothing to wait for."""
    from model.changes import spell

    draft = f"{spell(listed)}{_PARTS}{spell(bench.applied)}" if listed else None
    view.keep(draft=draft, past=_remembered(bench))
    if listed:
        view.choose()
    else:
        view.choose(changes=None)


def apply(bench: Bench) -> None:
    """Run with what is listed."""
    from model.changes import spell

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


def _remembered(bench: Bench) -> str:
    from model.changes import spell

    return _MOMENTS.join([*_past(), f"{spell(bench.listed)}{_PARTS}{spell(bench.applied)}"][-_MOST:])


def fits(listed: Sequence[Change]) -> bool:
    """Whether a list is short enough for a link."""
    from model.changes import LIMIT, spell

    return len(listed) <= LIMIT and len(spell(listed)) <= view.SETTING_LIMIT


# what it comes to


def outcomes(bench: Bench) -> tuple[Outcome, Outcome] | None:
    """Unchanged, and under the changes applied; None, with a word about it, where they cannot run."""
    from model.changes import padding

    added = padding(bench.applied)
    before = outcome(bench.entry, bench.reading.sentence, "", added)
    if not bench.spelled:
        return before, before
    try:
        return before, outcome(bench.entry, bench.reading.sentence, bench.spelled, added)
    except Refused as error:
        notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
        return None


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=models.BY_CONTENT)
def outcome(entry: catalogue.Entry, sentence: str, spelled: str, padding: int) -> Outcome:
    """A run under changes; raises `Refused` where one cannot be made."""
    from model import changes, interventions

    checkpoint, run = models.checkpoint(entry), models.run(entry, sentence)
    edits: list[Edit] = [
        edit
        for change in changes.read(spelled)[0]
        for edit in changes.edits_of(checkpoint, run, change, padding)
    ]  # fmt: skip
    return interventions.outcome(checkpoint, run, edits, padding)


@dataclass(frozen=True)
class Steps:
    """The words written (the tokens read, for an encoder alone), and the rows of the pass that they stand in."""

    tokens: tuple[str, ...]
    first: int
    ids: np.ndarray | None  # (T) of every row, the prompt's too


def steps(bench: Bench) -> Steps:
    """What can be looked at word by word."""
    from model import interventions

    if not bench.writes:
        has_words = "logits" in bench.run.trace.values
        ids = interventions.written(bench.run) if has_words else None
        return Steps(bench.run.trace.source_tokens, 0, ids)
    first = interventions.first_step(models.checkpoint(bench.entry), bench.run)
    ids = interventions.written(bench.run)
    return Steps(models.tokenizer(bench.entry).tokens(ids[first:].tolist()), first, ids)


def step(bench: Bench) -> int:
    """Draw the control for the word that is looked at, and give its place among the steps."""
    tokens = steps(bench).tokens
    label = words("intervene.step" if bench.writes else "intervene.step_encoder")
    lengths = [len(token) if token[0] != "<" else 0 for token in tokens]
    default = lengths.index(max(lengths))
    titles = [f"{token} ({i})" if token in tokens[:i] else token for i, token in enumerate(tokens)]
    if len(tokens) <= FEW:
        return controls.choice("step", label, {i: notices.plain(title) for i, title in enumerate(titles)}, default)
    return controls.select("step", label, dict(enumerate(titles)), default)
