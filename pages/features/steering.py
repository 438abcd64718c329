"""Steering: a feature added to the encoder's output or removed from it, and what becomes of the translation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from model.analysis.softmax import log_probabilities
from model.edit import edit_effects
from model.features import splice
from model.features.meaning import patterns, steering
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
        if not source.entry.config.target_vocabulary:
            show.text(words("features_steer.no_words"))
            return
        suggestions = _suggestions(source)
        with page.columns(2, 3) as (left, right):
            with left:
                suggestion = _suggestion(current_run, suggestions)
                changes = (
                    _own(current_run, source) if suggestion is None else _suggested(current_run, source, suggestion)
                )
            before, after = (
                cached_features.steered(source, current_run.sentence, each) for each in ((), tuple(changes))
            )
            with right:
                _outputs(current_run, before, after)
                if suggestion is not None:
                    _success(suggestion)
        _probabilities(current_run, before, after)


def _suggestions(source: Source) -> dict[str, Mapping[str, Any]]:
    """Those of the dictionary's card that have a text here, by name."""
    texts = section("features_suggestion")
    given = cached_features.stored(source).card.get("suggestions", ())
    return {each["name"]: each for each in given if each["name"] in texts}


def _suggestion(current_run: CurrentRun, suggestions: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Draw the choice: at first one that is about tokens of the sentence in view; None for a feature of one's own."""
    if not suggestions:
        return None
    texts = section("features_suggestion")
    titles = {each: texts[each] for each in suggestions} | {OWN: words("features_steer.own")}
    fitting = (name for name, each in suggestions.items() if _rows(current_run, each.get("at", "")))
    name = controls.choice("steer", words("features_steer.what"), titles, next(fitting, next(iter(suggestions))))
    return suggestions.get(name)


def _suggested(current_run: CurrentRun, source: Source, suggestion: Mapping[str, Any]) -> list[splice.Steering]:
    """A suggestion, as strong as the slider says, and how often it succeeded."""
    part = controls.slider("factor", words("features_steer.factor"), 0.0, MOST, 1.0, STEP)
    name = plain(feature_names.title(source, suggestion["feature"]))
    rows = _rows(current_run, suggestion.get("at", ""))
    show.caption(words("features_steer.everywhere" if rows is None else "features_steer.exchanged", name=name))
    if rows == []:
        show.text(words("features_steer.no_place"))
    if suggestion["example"]:
        sentence = suggestion["example"][0]
        label = words("features_steer.example", sentence=plain(sentence))
        st.button(label, key="try_example", on_click=view.choose, kwargs={"sentence": sentence})
    return _strong(current_run, source, suggestion["feature"], part * suggestion["strength"], rows) if part else []


def _rows(current_run: CurrentRun, pattern: str) -> list[int] | None:
    """The tokens of the sentence that a suggestion is about; None for all of them."""
    if not pattern:
        return None
    ids = models.run(*_key(current_run)).source
    marks = patterns.marked(models.tokenizer(current_run.entry), ids, pattern)
    return [row for row, is_marked in enumerate(marks) if is_marked]


def _strong(
    current_run: CurrentRun, source: Source, feature: int, strength: float, rows: list[int] | None
) -> list[splice.Steering]:
    """A feature added to all tokens, or put in the place of the strongest one of some."""
    if rows is None:
        return [splice.Steering(feature, strength)]
    strongest = cached_features.active(source, current_run.sentence)[0][:, 0]
    removed = [splice.Steering(int(strongest[row]), 0.0, "set", row) for row in rows]
    return removed + [splice.Steering(feature, strength, "add", row) for row in rows]


def _success(suggestion: Mapping[str, Any]) -> None:
    """The share of held-out sentences in which it worked, over its strength."""
    success, low, high = map(percent, suggestion["success"])
    parts = (strength / suggestion["strength"] for strength in suggestion["strengths"])
    lines = {"success": list(zip(parts, suggestion["curve"], strict=True))}
    show.figure("features-success", feature_charts.shares_chart(lines, section("features_success_chart")))
    show.caption(
        words("features_steer.success", success=success, low=low, high=high, sentences=suggestion["sentences"],
              least=percent(steering.LEAST))
    )  # fmt: skip


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
    first, second = (
        Output(name, tokens(each.ids), frozenset(), note)
        for name, each, note in zip(names, (before, after), notes, strict=True)
    )
    show.table(outputs_html(first, second, section("intervene_outputs")))


def _key(current_run: CurrentRun) -> tuple[Any, str]:
    return current_run.entry, current_run.sentence


def _probabilities(current_run: CurrentRun, before: edit_effects.Outcome, after: edit_effects.Outcome) -> None:
    """By how much the log-probability of each token of the unchanged output changes."""
    if before.logits is None or after.logits is None:
        return
    run = models.run(*_key(current_run))
    first, ids = edit_effects.first_step(models.checkpoint(current_run.entry), run), edit_effects.generated(run)
    both = [log_probabilities(each, ids)[first:] for each in (before.logits, after.logits)]
    tokens = models.tokenizer(current_run.entry).tokens(ids[first:].tolist(), begins=bool(run.source))
    numbers = intervention_charts.Numbers(*both)
    most = int(abs(numbers.change).argmax())
    chart = intervention_charts.change_chart(tokens, numbers, section("intervene_probability"), most)
    show.figure("features-steered", chart)
    show.caption(words("features_steer.probabilities"))
