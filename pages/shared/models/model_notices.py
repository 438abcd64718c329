"""Notices about a model: what it cannot show, and that it is untrained."""

from contextlib import suppress

import streamlit as st

from model.analysis import labels
from model.checkpoint.catalogue import Untrained
from model.checkpoint.recording import Recording
from model.errors import InvalidInput
from model.measurements import ordinary
from model.trace import ATTENTION_KINDS
from pages.shared.models import current
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address
from pages.shared.text.notices import plain
from pages.shared.text.words import name, section, words


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


def beginner() -> None:
    """What a translator of our own is: how many words it has learnt, and how many ordinary sentences come out right."""
    with suppress(InvalidInput):  # as above
        entry = current.entry()
        saved = ordinary.MEASUREMENT.saved(entry) if entry is not None else None
        if entry is None or saved is None:
            return
        source = plain(name("languages", entry.card["source_language"]))
        right = round(100 * saved.right.mean)
        with st.container(horizontal=True, vertical_alignment="center", key="beginner", gap="small"):
            st.caption(words("start.beginner", source=source, words=saved.words, right=right), width="content")
            knows = address.url_of("checkpoints") | {"card": entry.name, "show": "knows"}
            st.page_link(address.script_of("checkpoints"), label=words("start.knows"), query_params=knows)


def missing_kinds(current_run: CurrentRun) -> None:
    """Why some kinds of attention are not there, in an encoder or a decoder alone."""
    if len(current_run.trace.kinds) < len(ATTENTION_KINDS) and not current_run.is_recording:
        st.caption(words(f"explain.{current_run.entry.config.architecture}"))


def untrained(current_run: CurrentRun) -> None:
    """Note that the weights are random, where they are."""
    if isinstance(current_run.entry, Untrained):
        st.caption(words("explain.untrained", seed=current_run.entry.seed))
