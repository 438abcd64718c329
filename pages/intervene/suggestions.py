"""Steps to try: the two heads that make the point are found by running the model when they are asked for."""

from __future__ import annotations

import streamlit as st

from model.checkpoint import catalogue
from model.edit import edit_effects, notation
from pages.shared.changes import in_link
from pages.shared.changes.in_link import EditState
from pages.shared.changes.wording import described
from pages.shared.layout import tour
from pages.shared.models import models
from pages.shared.session import script_run, view
from pages.shared.text.words import words
from pages.shared.ui import show

SEARCHED = 24  # sentences tried, the user's first
FIGURE = "figure_result"


def example(state: EditState) -> None:
    """Where nothing is changed: a change to begin with, a click away."""
    change = described(state, notation.read(in_link.example())[0][0])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="example"):
        show.text(words("intervene_example.nothing"))
        args = ("try", {"changes": in_link.example(), "show": None}, FIGURE)
        label = words("intervene_example.apply", change=change)
        st.button(label, key="apply_example", on_click=tour.apply_preset, args=args)


def try_this(state: EditState) -> None:
    """Each a click that sets the page up."""
    with tour.trying():
        if state.writes and not isinstance(state.entry, catalogue.Untrained):  # random heads teach nothing
            st.button(words("intervene_try.matters"), key="try_matters", on_click=_search, args=("matters",))
            st.button(words("intervene_try.idle"), key="try_idle", on_click=_search, args=("idle",))
        for name, changes in _steps(state).items():
            args = ("try", {"changes": changes, "show": None}, FIGURE)
            st.button(words(f"intervene_try.{name}"), key=f"try_{name}", on_click=tour.apply_preset, args=args)
    if which := view.kept("search"):
        view.keep(search=None)  # whatever stops this run ends the search
        _find(state, which)


def _steps(state: EditState) -> dict[str, str]:
    """Change of each step, as in a link: after most of them the model writes something else."""
    config = state.entry.config
    side = "decoder" if config.decoder_layers else "encoder"
    steps = {"equal": in_link.example().replace("off", "uniform")}
    if config.encoder_layers:
        steps["padding"] = "unmask:4"
    if config.decoder_layers:
        steps["causal" if config.encoder_layers else "causal_alone"] = "unmask:causal"
    steps["scale"] = f"embedding:{side}.{'unscale' if config.scale_embedding else 'scale'}"
    return steps


# the search


@models.cached
def _contrast(entry: catalogue.Entry, sentence: str):
    return edit_effects.contrast(models.checkpoint(entry), sentence)


def _search(which: str) -> None:
    view.keep(search=which)
    view.choose()


def _find(state: EditState, which: str) -> None:
    """Switch off such a head of the sentence in view, or of the first other one that has it."""
    sentences = _sentences(state)
    with st.container(key="searching", gap="small"):
        bar = st.progress(0.0)
        st.button(words("progress.stop"), key="stop_search", on_click=view.choose)
    for number, sentence in enumerate(sentences):
        bar.progress(number / len(sentences), words("intervene_try.searching", number=number + 1, count=len(sentences)))
        script_run.heed_clicks()
        head = getattr(_contrast(state.entry, sentence), which)
        if head:
            _show(which, head, None if sentence == state.current_run.sentence else sentence)
    none = {"matters": "intervene_try.no_matters", "idle": "intervene_try.no_idle"}
    view.choose()
    view.refuse(none[which], None, count=len(sentences))
    script_run.rerun()


def _sentences(state: EditState) -> list[str]:
    card, own = state.entry.card, state.current_run.sentence
    topics = [text for topic in card.get("covers", ()) for text in topic["examples"][:1]]
    return [own, *(text for text in [*card["examples"], *topics] if text != own)][:SEARCHED]


def _show(which: str, head: tuple[str, int, int], sentence: str | None) -> None:
    kind, layer, number = head
    choices: dict[str, object] = {"attention_kind": kind, "layer": layer, "head": number}
    if sentence:
        choices["sentence"] = sentence
    show = "attention" if which == "idle" else None
    tour.apply_preset("try", {"changes": f"off:{kind}.{layer}.{number}", "show": show, **choices}, FIGURE)
    script_run.rerun()
