"""Steering: a feature added to the encoder's output or removed from it, and what becomes of the translation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from model.analysis.softmax import log_probabilities
from model.edit import edit_effects
from model.features import splice
from pages.features import cached_features, feature_names
from pages.features.cached_features import Source
from pages.shared.layout import page
from pages.shared.models import ending, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.notices import plain
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show, token_picker
from viz.charts import feature_charts
from viz.charts.effects import intervention_charts
from viz.html.outputs import Output, outputs_html
from viz.numbers import percent

OWN, ALL = "own", "all"  # a feature of the user's choice; every token
MOST, STEP = 2.0, 0.25  # of the slider, in units of a feature's largest strength


def figures(current_run: CurrentRun, source: Source) -> None:
    """What to change on the left, both outputs on the right, and below how every token's probability follows."""
    with page.card("figure_steer", words("features_steer.title"), words("features_steer.about")):
        if not source.entry.config["target_vocabulary"]:
            show.text(words("features_steer.no_words"))
            return
        suggestions = _suggestions(source)
        with page.columns(2, 3) as (left, right):
            with left:
                changes = _changes(current_run, source, suggestions)
            before = cached_features.steered(source, current_run.sentence, ())
            after = cached_features.steered(source, current_run.sentence, tuple(changes))
            with right:
                _outputs(current_run, before, after)
        _probabilities(current_run, before, after)


def _suggestions(source: Source) -> dict[str, Mapping[str, Any]]:
    """Those of the dictionary's card that have a text here, by name."""
    texts = section("features_suggestion")
    given = cached_features.stored(source).card.get("suggestions", ())
    return {each["name"]: each for each in given if each["name"] in texts}


def _changes(
    current_run: CurrentRun, source: Source, suggestions: Mapping[str, Mapping[str, Any]]
) -> list[splice.Steering]:
    """Draw the controls: a suggestion or a feature, on which tokens, how strong."""
    name = OWN
    if suggestions:
        texts = section("features_suggestion")
        titles = {each: texts[each] for each in suggestions} | {OWN: words("features_steer.own")}
        name = controls.choice("steer", words("features_steer.what"), titles, next(iter(suggestions)))
    if name != OWN:
        return _suggested(source, suggestions[name])
    return _own(current_run, source)


def _suggested(source: Source, suggestion: Mapping[str, Any]) -> list[splice.Steering]:
    """A suggestion, as strong as the slider says, and how often it succeeded."""
    part = controls.slider("factor", words("features_steer.factor"), 0.0, MOST, 1.0, STEP)
    success, low, high = map(percent, suggestion["success"])
    show.caption(
        words("features_steer.success", success=success, low=low, high=high, sentences=suggestion["sentences"])
    )
    parts = (strength / suggestion["strength"] for strength in suggestion["strengths"])
    lines = {"success": list(zip(parts, suggestion["curve"], strict=True))}
    show.figure("features-success", feature_charts.shares_chart(lines, section("features_success_chart"), part))
    if suggestion["example"]:
        sentence = suggestion["example"][0]
        st.button(words("features_steer.example", sentence=plain(sentence)), key="try_example", on_click=view.choose,
                  kwargs={"sentence": sentence})  # fmt: skip
    show.caption(words("features_steer.feature", name=feature_names.title(source, suggestion["feature"])))
    return [splice.Steering(int(suggestion["feature"]), part * suggestion["strength"])] if part else []


def _own(current_run: CurrentRun, source: Source) -> list[splice.Steering]:
    """A feature of the user's choice, added or removed."""
    titles = feature_names.titles(source)
    first = cached_features.first(source, current_run)
    feature = controls.select("feature", words("features_sentence.feature", count=len(titles)), titles, first)
    tokens = token_picker.distinct(cached_features.tokens(source, current_run))
    places = {ALL: words("features_steer.all")} | {str(at): token for at, token in enumerate(tokens)}
    where = controls.select("where", words("features_steer.where"), places, ALL)
    ways = {way: words(f"features_steer.{way}") for way in ("add", "remove")}
    way = controls.choice("way", words("features_steer.way"), ways, "add", hidden=True)
    row = None if where == ALL else int(where)
    if way == "remove":
        return [splice.Steering(feature, 0.0, "set", row)]
    times = controls.slider("strength", words("features_steer.strength"), -MOST, MOST, 1.0, STEP)
    most = float(cached_features.maxima(source)[feature])
    return [splice.Steering(feature, times * most, "add", row)] if times * most else []


def _outputs(current_run: CurrentRun, before: edit_effects.Outcome, after: edit_effects.Outcome) -> None:
    """Both translations, differences marked."""
    if not after.ids:
        return
    tokens = partial(models.tokenizer(current_run.entry).tokens, begins=bool(models.run(*_key(current_run)).source))
    notes = [ending.stopped(*_key(current_run), each.stop, each.stop != before.stop) for each in (before, after)]
    names = words("intervene_outputs.before"), words("intervene_outputs.after")
    pair = [
        Output(name, tokens(each.ids), frozenset(), note)
        for name, each, note in zip(names, (before, after), notes, strict=True)
    ]
    show.table(outputs_html(*pair, section("intervene_outputs")))


def _key(current_run: CurrentRun) -> tuple[Any, str]:
    return current_run.entry, current_run.sentence


def _probabilities(current_run: CurrentRun, before: edit_effects.Outcome, after: edit_effects.Outcome) -> None:
    """By how much the log-probability of each token of the unchanged output changes."""
    if before.logits is None or after.logits is None:
        return
    run = models.run(*_key(current_run))
    first, ids = edit_effects.first_step(models.checkpoint(current_run.entry), run), edit_effects.written(run)
    both = [log_probabilities(each, ids)[first:] for each in (before.logits, after.logits)]
    tokens = models.tokenizer(current_run.entry).tokens(ids[first:].tolist(), begins=bool(run.source))
    numbers = intervention_charts.Numbers(*both)
    chart = intervention_charts.change_chart(tokens, numbers, section("intervene_probability"), _most(numbers))
    show.figure("features-steered", chart)
    show.caption(words("features_steer.probabilities"))


def _most(numbers: intervention_charts.Numbers) -> int:
    """The token whose probability changes most."""
    return int(abs(numbers.change).argmax())
