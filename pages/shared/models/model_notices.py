"""Notices about a model: what it cannot show, and that it is untrained."""

from contextlib import suppress

import streamlit as st

from model.analysis import labels
from model.checkpoint.catalogue import Untrained
from model.checkpoint.recording import Recording
from model.errors import InvalidInput
from model.trace import ATTENTION_KINDS
from pages.shared.models import current, sentence_notices
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words


def lead() -> str:
    """The sentence that heads the start page: architectures differ in what there is to point at, models in language."""
    with suppress(InvalidInput):  # the page itself says what is wrong with the checkpoint
        entry = current.entry()
        if isinstance(entry, Recording):
            return words("recording.lead")
        if entry is not None and entry.config.architecture != "encoder-decoder":
            return words("start.lead_alone")
        if entry is not None and (language := section("languages").get(entry.card.get("source_language", ""))):
            return words("start.lead_in", source=language)
    return words("start.lead")


def label_kind() -> str:
    """What the head of the model in use gives in place of words, as of `TransformerConfig`; empty where it has none."""
    with suppress(InvalidInput):  # as above
        entry = current.entry()
        if entry is not None and not isinstance(entry, Recording):
            return labels.kind_of(entry.config)
    return ""


def meaning(current_run: CurrentRun) -> None:
    """Draw the meaning of an example sentence, where it is known."""
    if gloss := sentence_notices.meaning(current_run.sentence):
        st.caption(words("start.gloss", text=gloss))


def missing_kinds(current_run: CurrentRun) -> None:
    """Why some kinds of attention are not there, in an encoder or a decoder alone."""
    if len(current_run.trace.kinds) < len(ATTENTION_KINDS) and not current_run.is_recording:
        st.caption(words(f"explain.{current_run.entry.config.architecture}"))


def untrained(current_run: CurrentRun) -> None:
    """Note that the weights are random, where they are."""
    if isinstance(current_run.entry, Untrained):
        st.caption(words("explain.untrained", seed=current_run.entry.seed))
