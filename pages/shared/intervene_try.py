"""Steps to try: the two heads that make the point are found by running the model when they are asked for."""

from __future__ import annotations

import streamlit as st

from model import catalogue
from pages.shared import models, view
from pages.shared.intervene import Bench
from pages.shared.words import words

SEARCHED = 24  # sentences tried, the reader's first
_NONE = {"matters": "intervene_try.no_matters", "idle": "intervene_try.no_idle"}


def try_this(bench: Bench) -> None:
    """Each a click that sets the page up."""
    config = bench.entry.config
    with st.container(key="try_this", gap="small"):
        st.subheader(words("page.try_this"), anchor=False)
        with st.container(horizontal=True, gap="small", key="steps"):
            if bench.writes:
                st.button(words("intervene_try.matters"), key="try_matters", on_click=_matters, args=(bench,))
                st.button(words("intervene_try.idle"), key="try_idle", on_click=_idle, args=(bench,))
            side = "encoder" if config["encoder_layers"] else "decoder"
            steps = {"intervene_try.layer": {"changes": f"uniform:{side}.0.*", "show": None}}
            if config["decoder_layers"]:
                steps["intervene_try.causal"] = {"changes": "unmask:causal", "show": None}
            if config["position"] != "none":
                steps["intervene_try.position"] = {"changes": f"position:{side}.none", "show": None}
            for key, choices in steps.items():
                name = f"try_{key.partition('.')[2]}"
                st.button(words(key), key=name, on_click=_set_up, kwargs=dict(choices))


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _contrast(entry: catalogue.Entry, sentence: str):
    from model import interventions

    return interventions.contrast(models.checkpoint(entry), sentence)


def _set_up(**choices: object) -> None:
    """What was listed and not applied makes way."""
    view.keep(draft=None)
    view.choose(**choices)


def _matters(bench: Bench) -> None:
    _find(bench, "matters", {"show": None})


def _idle(bench: Bench) -> None:
    _find(bench, "idle", {"show": "attention"})


def _find(bench: Bench, which: str, choices: dict[str, object]) -> None:
    """Switch off such a head of the sentence in view, or of the first other one that has it."""
    examples = bench.entry.card["examples"]
    topics = [text for topic in bench.entry.card.get("covers", ()) for text in topic["examples"][:1]]
    own = bench.reading.sentence
    searched = [own, *(text for text in [*examples, *topics] if text != own)][:SEARCHED]
    for sentence in searched:
        head = getattr(_contrast(bench.entry, sentence), which)
        if head:
            kind, layer, number = head
            place = {"attention_kind": kind, "layer": layer, "head": number}
            moved = {} if sentence == own else {"sentence": sentence}
            changes = f"off:{kind}.{layer}.{number}"
            _set_up(changes=changes, **place, **moved, **choices)
            return
    view.choose()
    view.refuse(_NONE[which], None, count=len(searched))
