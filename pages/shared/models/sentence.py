"""The sentence in view, run through the model in view: what every page starts from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from model.checkpoint import catalogue
from model.checkpoint.recording import FILE, Recording
from model.decode import translate
from model.errors import InvalidInput
from model.trace import Trace
from pages.shared.classroom import board
from pages.shared.load import fair_use
from pages.shared.models import current, model_fit, models, sentence_notices, warmup
from pages.shared.models.warmup import is_warm
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, words


class Ended(Exception):
    """The page has said why it cannot go on; the frame around it still finishes."""


class SentenceRefused(Ended):
    """The model is sound and cannot read this sentence; `example` is its run of one that it can."""

    def __init__(self, entry: catalogue.Entry):
        super().__init__()
        self.example = CurrentRun(entry, entry.card["examples"][0])


@dataclass(frozen=True)
class CurrentRun:
    """A sentence, its translation and its trace.

    `recorded` while the model is still being loaded, and where there is none: `is_recording` tells which.

    The trace stays in the cache that all sessions share: a part of a page keeps what it draws again with.
    """

    entry: catalogue.Entry
    sentence: str
    recorded: bool = False

    @property
    def is_recording(self) -> bool:
        """Whether a user's recording is shown, whose model is not here."""
        return isinstance(self.entry, Recording)

    @property
    def text(self) -> str:
        """Output of the model."""
        return self._passed.text

    @property
    def trace(self) -> Trace:
        """Every value of the pass."""
        return self._passed.trace

    @property
    def unseen_words(self) -> tuple[str, ...]:
        """Words of the sentence that the model never saw."""
        return () if isinstance(self._passed, models.Example) else tuple(self._passed.unseen_words)

    def mark(self) -> None:
        """Say of an output that may be wrong, why; nothing of a recorded one."""
        if not isinstance(self._passed, models.Example):
            sentence_notices.mark(self._passed, self.entry)

    @property
    def _passed(self) -> translate.Translation | models.Example:
        recording = models.example(self.entry) if self.recorded else None
        return recording or models.run(self.entry, self.sentence)


def read(*, recordings: bool = False, marks: bool = True) -> CurrentRun:
    """Run the sentence in view, say what is to be said about it, and end the page where it cannot go on.

    `recordings` for a page that needs attention and tokens alone: it is shown for a recording too. Without `marks` the
    page marks a doubtful output where it shows it.
    """
    with st.container(key="about_sentence", gap="small"):  # it is there without a notice too, see `notices.show`
        return _read_or_end(recordings, marks)


def _read_or_end(recordings: bool, marks: bool) -> CurrentRun:
    entry = current.entry()
    if entry is None:
        notices.say("info", words("notice.no_checkpoints"))
        raise Ended
    if isinstance(entry, Recording) and not recordings:
        sentence_notices.needs_model(entry)
        raise Ended
    try:
        return _recording(entry) if isinstance(entry, Recording) else _read(entry, marks)
    except InvalidInput as error:
        is_damaged = error.code.startswith(("checkpoint", "config"))
        notices.say("error" if is_damaged else "warning", refusal(error))
        if is_damaged:
            sentence_notices.other_checkpoints(entry)
            raise Ended from None
        sentence_notices.examples(entry)
        raise SentenceRefused(entry) from None


def sentence_of(entry: catalogue.Entry) -> str:
    """The user's sentence, or the model's first example; a recording holds one sentence."""
    text = view.view().sentence
    return text if text and text.strip() and not isinstance(entry, Recording) else entry.card["examples"][0]


def sentence_if_sound(entry: catalogue.Entry) -> str:
    """The same, or nothing for a damaged model: what is wrong with it the page says itself."""
    with suppress(InvalidInput):
        return sentence_of(entry)
    return ""


def _recording(entry: Recording) -> CurrentRun:
    if models.example(entry) is None:
        raise InvalidInput("checkpoint_file", name=entry.name, file=FILE)
    return CurrentRun(entry, sentence_of(entry), recorded=True)


def _read(entry: catalogue.Entry, marks: bool) -> CurrentRun:
    sentence = sentence_of(entry)
    text = view.view().sentence
    if text is not None and not text.strip():
        notices.say("info", words("notice.empty"))
    from_recording = not is_warm() and sentence == entry.card["examples"][0]
    if from_recording and models.example(entry):
        return CurrentRun(entry, sentence, recorded=True)
    if not models.has_run(entry, sentence):
        fair_use.take(fair_use.PASSES)
    # the first run waits for torch; later ones are done before a spinner would be seen
    with warmup.spinner():
        run = models.run(entry, sentence)
    sentence_notices.about(run, entry, marks=marks)
    board.tell(entry, sentence, run, lambda: model_fit.misfit(entry, sentence))
    return CurrentRun(entry, sentence)
