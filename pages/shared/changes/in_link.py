"""Changes to a run as a link spells them: read, checked against a model and a sentence."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from model.checkpoint import catalogue
from model.decode import translate
from model.edit import change_edits, notation
from model.errors import InvalidInput
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, words


@dataclass(frozen=True)
class EditState:
    """A sentence, what the model makes of it, and the changes: those listed, and those that were applied."""

    current_run: CurrentRun
    run: translate.Translation
    listed: tuple[notation.Change, ...]
    applied: tuple[notation.Change, ...]

    @property
    def entry(self) -> catalogue.Entry:
        return self.current_run.entry

    @property
    def writes(self) -> bool:
        """Whether the model writes words; an encoder alone does not."""
        return bool(self.run.target)

    @property
    def spelled(self) -> str:
        """Spell the applied changes that are switched on, as in a link."""
        return notation.spell(change for change in self.applied if change.on)


def example() -> str:
    """A change that every model shows, as in a link: the heads that look at the sentence are switched off."""
    kind = "cross"
    with suppress(InvalidInput):  # the page itself says what is wrong with the checkpoint
        entry = current.entry()
        architecture = entry.config.architecture if entry else ""
        kind = architecture if architecture in ("encoder", "decoder") else "cross"
    return f"off:{kind}.*.*"


def sound(entry: catalogue.Entry, sentence: str, key: str) -> tuple[notation.Change, ...]:
    """The changes of a setting that a model and a sentence have a place for; the others are said and let go."""
    changes, bad = notation.read(view.setting(key) or "")
    many = [part for part in bad if notation.read(part)[0]]  # each alone would have done
    for part in bad:
        if part not in many:
            notices.say("warning", words("intervene_list.bad", value=part[:40]))
    if many:
        notices.say("warning", words("intervene_list.many", limit=notation.LIMIT, count=len(many)))
    changes_with_place = []
    for change in changes:
        if problem := refused(entry, sentence, change):
            notices.say("warning", words("intervene_list.refused", value=change.spelled()[:40], problem=problem))
        else:
            changes_with_place.append(change)
    if bad or len(changes_with_place) < len(changes):
        view.correct(key, notation.spell(changes_with_place))
    return tuple(changes_with_place)


def refused(entry: catalogue.Entry, sentence: str, change: notation.Change) -> str | None:
    """Why a change cannot be made, in a sentence; nothing is run to find out."""
    try:
        change_edits.check(models.checkpoint(entry), models.run(entry, sentence), change)
    except InvalidInput as error:
        return refusal(error)
    return None
