"""Does it know the rule? Minimal pairs by phenomenon: how often the right output is likelier, and each pair."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from model.checkpoint import catalogue
from model.intervals import Estimate
from model.measurements.rules import pairs_suite
from model.measurements.rules.pairs_suite import Suite
from pages.shared.classroom import my_class
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view, widgets
from pages.shared.text.words import section, words
from pages.shared.ui import controls, folder_command, show
from pages.shared.ui.downloads import export
from pages.shared.ui.marked_terms import link
from viz.charts import quality_charts
from viz.figures.figure import Numbers
from viz.html.plain_table import linked_table_html, table_html
from viz.numbers import percent, three_figures
from viz.standalone.document import Table

_ASKED = "pairs_of"  # kept for the session: the model that is to be measured
RARE = 1e-3  # a probability below it is no percentage


def figures(current_run: CurrentRun) -> None:
    """Every phenomenon with its share, interval and twin; the pairs of the chosen one."""
    entry = current_run.entry
    with page.card("figure_rules", words("data_rules.title"), words("data_rules.about")):
        suite = _suite(entry)
        if suite is None:
            return
        _overview(entry, suite)
    page.flush()
    titles = section("data_rule")
    with page.card("figure_rule", words("data_rules.pairs_title")):
        options = {name: f"{titles[name]} · {percent(each.share().mean)}" for name, each in suite.phenomena.items()}
        name = controls.select("rule", words("data_rules.choose"), options, next(iter(options)))
        _pairs(entry, name, suite)


def _suite(entry: catalogue.Entry) -> Suite | None:
    """What was saved or what is measured once it is asked for; None where there is nothing, which is said."""
    if saved := pairs_suite.MEASUREMENT.saved(entry):
        return saved
    source = pairs_suite.language(entry)
    if not source:
        show.text(words("data_rules.none"))
        return None
    if view.kept(_ASKED) != entry.fingerprint:
        show.text(words("data_rules.unmeasured"))
        measure = words("data_rules.measure")
        st.button(measure, key="measure_pairs", on_click=view.keep, kwargs={_ASKED: entry.fingerprint})
        return None
    parts = [(name,) for name in _names(source)]
    rows = progress.computed(f"rules {entry.name} {entry.fingerprint}", parts, lambda name: _measured(entry, name))
    return None if rows is None else pairs_suite.suite(pairs_suite.results({name: rows[name,] for (name,) in parts}))


@models.cached(beside="always")
def _names(source: str) -> list[str]:
    return pairs_suite.names(source)


@models.cached(beside="always")
def _measured(entry: catalogue.Entry, name: str) -> dict[str, Any]:
    return pairs_suite.of_phenomenon(entry, models.checkpoint(entry), name)


def _overview(entry: catalogue.Entry, suite: Suite) -> None:
    titles = section("data_rule")
    own, twin = suite.share(), suite.share("twin")
    show.text(words("data_rules.says", count=suite.pairs, phenomena=len(suite.phenomena), own=_with_range(own),
                    twin=_with_range(twin), shorter=percent(suite.shorter)))  # fmt: skip
    rows = [(titles[name], each.share(), each.share("twin")) for name, each in suite.phenomena.items()]
    numbers = [
        {"phenomenon": name, "model": model, "right": each.right[model], "pairs": len(each.pairs),
         "share": share.mean, "low": share.low, "high": share.high}
        for name, each in suite.phenomena.items()
        for model in each.right
        for share in (each.share(model),)
    ]  # fmt: skip
    chart = quality_charts.rules_chart(rows, section("data_rules_chart")).with_rows(lambda: numbers)
    show.figure("data-rules", chart, measured={"pairs": suite.pairs, "seed": suite.seed})
    _table(suite, titles)
    show.caption(words("data_rules.measured"))
    folder_command.repeat(entry, pairs_suite.MEASUREMENT.name)


def _table(suite: Suite, titles: dict[str, str]) -> None:
    """Each phenomenon as a line; a click on it chooses its pairs."""
    names = list(suite.phenomena)
    moments = suite.steps
    heads = {"name": words("data_rules.name"), "share": words("data_rules.share"), "twin": words("data_rules.twin")}
    heads |= {step: words("data_rules.step", step=f"{int(step):,}") for step in moments}
    lines = [
        {"name": titles[name], "share": _with_range(each.share()), "twin": _with_range(each.share("twin"))}
        | {step: _with_range(each.share(step)) for step in moments}
        for name, each in suite.phenomena.items()
    ]

    def chosen() -> None:
        places = widgets.sent("rules_table")["selection"]["rows"]
        if places:
            view.choose(rule=names[places[0]])

    if my_class.sees_pictures():  # a line of a plain table chooses nothing
        show.table(table_html(list(heads.values()), [list(line.values()) for line in lines]))
        return
    show.caption(words("data_rules.table"))
    show.keep(lambda: [Table(table_html(list(heads.values()), [list(line.values()) for line in lines]))])
    st.dataframe(
        lines, hide_index=True, column_config=heads, key="rules_table", height=280,
        on_select=chosen, selection_mode="single-row", placeholder="–", alt=words("data_rules.table"),
    )  # fmt: skip


def _pairs(entry: catalogue.Entry, name: str, suite: Suite) -> None:
    each = suite.phenomena[name]
    show.text(
        words("data_rules.says_one", right=each.right["own"], count=len(each.pairs), own=_with_range(each.share()),
              twin=_with_range(each.share("twin")))
    )  # fmt: skip
    heads = [words(f"data_rules.{key}") for key in ("source", "right", "wrong", "p_right", "p_wrong", "result")]
    first = [(pair.source, link("attention", {"checkpoint": entry.name, "sentence": pair.source}))
             for pair in each.pairs]  # fmt: skip
    cells = [
        [pair.right, pair.wrong, _probability(pair.log_right), _probability(pair.log_wrong),
         words(f"data_rules.likelier_{'right' if pair.is_right else 'wrong'}")]
        for pair in each.pairs
    ]  # fmt: skip
    show.table(linked_table_html(heads, first, cells, texts=2))
    show.caption(words("data_rules.columns"))
    numbers = [{**pair._asdict(), "is_right": pair.is_right} for pair in each.pairs]
    export.files(f"data-rule-{name}", Numbers(numbers), measured={"pairs": len(each.pairs), "seed": suite.seed})


def _with_range(share: Estimate) -> str:
    mean, low, high = map(percent, share.rounded())
    return words("number.with_range", value=mean, low=low, high=high)


def _probability(log: float) -> str:
    value = math.exp(log)
    return percent(value, 1) if value >= RARE else three_figures(value)
