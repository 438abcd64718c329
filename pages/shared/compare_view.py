"""What of the two models is looked at: attention, heads, words, layers, curves or configs; and steps to try."""

from __future__ import annotations

import streamlit as st

from model.refused import Refused
from pages.shared import (
    compare,
    compare_layers,
    compare_more,
    compare_walls,
    compare_words,
    controls,
    intervene,
    notices,
)
from pages.shared.compare import END, START, Pair
from pages.shared.page import Step
from pages.shared.reading import Reading
from pages.shared.words import refusal, section, words

AT = "figure_closer"
BOTH = {  # what is worked out of two passes over the sentence
    "attention": compare_walls.walls,
    "heads": compare_walls.matches,
}


def closer(reading: Reading, pair: Pair) -> None:
    """The control for the view, and the view."""
    show = "config"  # all that there is of a model that reads no sentences
    if pair.b.entry.reads_text:
        show = controls.choice("show", words("compare.show"), section("compare_show"), "attention", hidden=True)
    st.header(words(f"compare_title.{show}"), anchor=False)
    st.caption(words(f"compare_about.{show}"))
    if show in ("attention", "heads", "words"):
        if unread := [side.name for side in pair.sides if side.problem]:
            st.text(words("compare.needs_both", name=unread[0]))
            return
        of = compare_words.target(pair)
        try:
            first, second = compare.passes(pair, of)
        except Refused as error:  # a change that fits what B writes may not fit what A writes
            notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
            return
        if show == "words":
            compare_words.probabilities(pair, first, second)
        else:
            BOTH[show](reading, first, second)
    elif show == "layers":
        compare_layers.layers(pair)
    elif show == "curves":
        compare_more.curves(pair)
    else:
        compare_more.configs(pair)


def steps(pair: Pair) -> dict[str, Step]:
    """Steps that make a point with the models at hand."""
    found: dict[str, Step] = {}
    itself = {"other": pair.a.entry.name, "other_head": None, "pin": None}
    if len(compare.moments(pair.a.entry)) > 1:
        begun = itself | {"moment": None, "other_moment": START, "other_changes": None}
        found["compare_try.layers"] = Step(AT, begun | {"show": "layers"})
        found["compare_try.learned"] = Step(AT, begun | {"show": "words", "reads": None})
    changed = itself | {"moment": None, "other_moment": END, "other_changes": intervene.example()}
    found["compare_try.change"] = Step(AT, changed | {"show": "words"})
    if pair.shared:
        found["compare_try.heads"] = Step(AT, {"show": "heads"})
    if pair.a.entry.name != pair.b.entry.name:
        found["compare_try.config"] = Step(AT, {"show": "config", "only": True})
    return found
