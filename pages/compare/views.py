"""Views of the two models: attention, heads, words, layers, curves or configs; and steps to try."""

from __future__ import annotations

from model.errors import InvalidInput
from pages.compare import configs, curves, layer_similarity, matches, probabilities, walls
from pages.compare.pair import Pair, moments, passes
from pages.shared.changes import in_link
from pages.shared.layout.tour import Step
from pages.shared.links import END, START
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show

AT = "figure_closer"
BOTH = {  # what is worked out of two passes over the sentence
    "attention": walls.walls,
    "heads": walls.matches,
}


def closer(current_run: CurrentRun, pair: Pair) -> None:
    """The control for the view, and the view."""
    tab = "config"  # all that there is of a model that reads no sentences
    if pair.b.entry.reads_text:
        tab = controls.choice("show", words("compare.show"), section("compare_show"), "attention", hidden=True)
    show.header(words(f"compare_title.{tab}"))
    show.caption(words(f"compare_about.{tab}"))
    if tab in ("attention", "heads", "words"):
        if unread := [side.name for side in pair.sides if side.problem]:
            show.text(words("compare.needs_both", name=unread[0]))
            return
        of = probabilities.target(pair)
        try:
            first, second = passes(pair, of)
        except InvalidInput as error:  # a change that fits what B writes may not fit what A writes
            notices.say("warning", words("intervene_list.failed", problem=refusal(error)))
            return
        if tab == "words":
            probabilities.probabilities(pair, first, second)
        else:
            BOTH[tab](current_run, first, second)
    elif tab == "layers":
        layer_similarity.layers(pair)
    elif tab == "matches":
        matches.matches(pair)
    elif tab == "curves":
        curves.curves(pair)
    else:
        configs.configs(pair)


def steps(pair: Pair) -> dict[str, Step]:
    """Steps that make a point with the models at hand."""
    steps_by_text: dict[str, Step] = {}
    itself = {"other": pair.a.entry.name, "other_head": None, "pin": None}
    if len(moments(pair.a.entry)) > 1:
        at_start = itself | {"moment": None, "other_moment": START, "other_changes": None}
        steps_by_text["compare_try.layers"] = Step(AT, at_start | {"show": "layers"})
        steps_by_text["compare_try.matches"] = Step(AT, at_start | {"show": "matches"})
        steps_by_text["compare_try.learned"] = Step(AT, at_start | {"show": "words", "reads": None})
    with_change = itself | {"moment": None, "other_moment": END, "other_changes": in_link.example()}
    steps_by_text["compare_try.change"] = Step(AT, with_change | {"show": "words"})
    if pair.shared:
        steps_by_text["compare_try.heads"] = Step(AT, {"show": "heads"})
    if pair.a.entry.name != pair.b.entry.name:
        steps_by_text["compare_try.config"] = Step(AT, {"show": "config", "only": True})
    return steps_by_text
