"""The controls of the decoding: how the next word is chosen, which output and which step are looked at."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from model.checkpoint import catalogue
from model.decode import token_sampling
from model.errors import InvalidInput
from pages.decoding.branches import of_link
from pages.decoding.output_list import Decoding, run
from pages.shared.models import current, warmup
from pages.shared.models.ending import begin
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import script_run, view
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls, show

FEWEST, MOST, USUAL = 1, 20, 6  # candidates of a step
TEMPERATURES, TOP_P = (0.1, 2.0), (0.05, 1.0)
USUAL_TOP_P = 0.9  # without a cut, the words that label smoothing keeps likely soon spoil an output
TOP_K = (0, 1, 2, 3, 5, 10, 20, 50)


def writes() -> bool:
    """Whether the model in view has a decoder; what is wrong with a damaged one the page says itself."""
    with suppress(InvalidInput):
        entry = current.entry()
        return entry is None or has_decoder(entry)
    return True


def has_decoder(entry: catalogue.Entry) -> bool:
    return entry.config.architecture != "encoder"


def decoding(current_run: CurrentRun) -> Decoding | None:
    """Decode as the controls say, drawing them; None where the model writes nothing, which is then said."""
    if not has_decoder(current_run.entry):
        _no_decoder()
        return None
    with warmup.spinner():
        start = begin(current_run.entry, current_run.sentence)
    with st.container(horizontal=True, vertical_alignment="bottom", key="way_controls"):
        sampling = _sampling()
        count = controls.slider("k", words("decoding.k"), FEWEST, MOST, USUAL)
    branches = [
        run(current_run.entry, current_run.sentence, forcing, sampling) for forcing in of_link(current_run, sampling)
    ]
    leaf = controls.picked("leaf", words("decoding.leaf"), len(branches), default=len(branches) - 1)
    last = len(branches[leaf].run.ids) - 1
    # outputs differ in length, so a step that this one lacks is its last
    step = min(controls.picked("step", words("decoding.step"), 10_000, default=0), last)
    return Decoding(current_run, start, sampling, tuple(branches), leaf, step, count)


def _no_decoder() -> None:
    """Why there is nothing to see, and a model that has it."""
    show.text(words("decoding.encoder"))
    others = {
        name: entry for name, entry in catalogue.sentence_models().items() if entry.is_sound() and has_decoder(entry)
    }
    if others:
        other = current.first(others)
        label = words("notice.use_other", name=notices.plain(other.name))
        choices = {"checkpoint": other.name, "attention_kind": None, "layer": None, "head": None}
        st.button(label, key="use_other", on_click=view.choose, kwargs=choices)


def _sampling() -> token_sampling.Sampling | None:
    """How the next word is chosen: the likeliest, or drawn."""
    ways = {way: words(f"decoding_way.{way}") for way in ("greedy", "sample")}
    if controls.choice("way", words("decoding_way.way"), ways, "greedy") == "greedy":
        return None

    return token_sampling.Sampling(
        temperature=controls.slider("temperature", words("decoding_way.temperature"), *TEMPERATURES, 1.0, 0.05),
        top_k=controls.steps("top_k", words("decoding_way.top_k"), TOP_K, 0, _all),
        top_p=_top_p(),
        seed=controls.number("draw", words("decoding_way.draw"), 0, 99_999, 0, 1),
    )


def _top_p() -> float:
    """A link that leaves it out was made when that meant all words, so the address always says which it is."""
    view.spell_out("top_p", TOP_P[1] if script_run.current().by_link else USUAL_TOP_P)
    return controls.slider("top_p", words("decoding_way.top_p"), *TOP_P, USUAL_TOP_P, 0.05)


def _all(count: int) -> str:
    return str(count) if count else words("decoding_way.all")
