"""The sentence in view, run through the model in view: what every page starts from."""

from dataclasses import dataclass

import streamlit as st

from model import catalogue
from model.refused import Refused
from model.trace import Trace
from pages.shared import models, notices, view
from pages.shared.warmup import is_warm
from pages.shared.words import refusal, words


@dataclass(frozen=True)
class Reading:
    """A sentence, its translation and its trace. `recorded` while the model is still being loaded."""

    entry: catalogue.Entry
    sentence: str
    text: str
    trace: Trace
    recorded: bool


def read() -> Reading:
    """Run the sentence in view, say what is to be said about it, and end the page where it cannot go on."""
    entry = view.entry()
    if entry is None:
        st.info(words("notice.no_checkpoints"))
        st.stop()
    notices.show()
    try:
        return _read(entry)
    except Refused as error:
        damaged = error.code.startswith(("checkpoint", "config"))
        (st.error if damaged else st.warning)(notices.plain(refusal(error)))
        if damaged:
            notices.other_checkpoints(entry)
        else:
            notices.examples(entry)
        st.stop()


def sentence_of(entry: catalogue.Entry) -> str:
    """What the reader typed, or the model's first example."""
    typed = view.view().sentence
    return typed if typed and typed.strip() else entry.card["examples"][0]


def _read(entry: catalogue.Entry) -> Reading:
    sentence = sentence_of(entry)
    if not is_warm() and sentence == entry.card["examples"][0] and models.has_example(entry):
        example = models.example(entry.name, entry.fingerprint)
        return Reading(entry, sentence, example.text, example.trace, recorded=True)
    with st.spinner(words("notice.running"), show_time=False):
        run = models.run(entry.name, entry.fingerprint, sentence)
    typed = view.view().sentence
    if typed is not None and not typed.strip():
        st.info(words("notice.empty"))
    notices.about(run, entry)
    return Reading(entry, sentence, run.text, run.trace, recorded=False)
