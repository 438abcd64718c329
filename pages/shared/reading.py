"""The sentence in view, run through the model in view: what every page starts from."""

from contextlib import nullcontext
from dataclasses import dataclass

import streamlit as st

from model import catalogue
from model.refused import Refused
from model.trace import Trace
from pages.shared import models, notices, view
from pages.shared.warmup import is_warm
from pages.shared.words import refusal, words


class Ended(Exception):
    """The page has said why it cannot go on; the frame around it still finishes."""


@dataclass(frozen=True)
class Reading:
    """A sentence, its translation and its trace. `recorded` while the model is still being loaded."""

    entry: catalogue.Entry
    sentence: str
    text: str
    trace: Trace
    unseen_words: tuple[str, ...]
    recorded: bool


def read() -> Reading:
    """Run the sentence in view, say what is to be said about it, and end the page where it cannot go on."""
    entry = view.entry()
    if entry is None:
        notices.say("info", words("notice.no_checkpoints"))
        raise Ended
    try:
        return _read(entry)
    except Refused as error:
        damaged = error.code.startswith(("checkpoint", "config"))
        notices.say("error" if damaged else "warning", refusal(error))
        if damaged:
            notices.other_checkpoints(entry)
        else:
            notices.examples(entry)
        raise Ended from None


def sentence_of(entry: catalogue.Entry) -> str:
    """What the reader typed, or the model's first example."""
    typed = view.view().sentence
    return typed if typed and typed.strip() else entry.card["examples"][0]


def _read(entry: catalogue.Entry) -> Reading:
    sentence = sentence_of(entry)
    typed = view.view().sentence
    if typed is not None and not typed.strip():
        notices.say("info", words("notice.empty"))
    recorded = not is_warm() and sentence == entry.card["examples"][0]
    if recorded and (example := models.example(entry)):
        return Reading(entry, sentence, example.text, example.trace, (), recorded=True)
    # the first run waits for torch; later ones are done before a spinner would be seen
    with nullcontext() if is_warm() else st.spinner(words("notice.running")):
        run = models.run(entry, sentence)
    notices.about(run, entry)
    return Reading(entry, sentence, run.text, run.trace, tuple(run.unseen_words), recorded=False)
