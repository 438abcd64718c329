"""Which method to trust: all of them, how far each agrees with what happens, here and over many sentences."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.analysis.labels import WITHOUT_PROBABILITY
from model.attribution import card_scores, method_names, trust
from model.checkpoint import catalogue
from model.measurements import attributions
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui import folder_command, show
from pages.shared.ui.downloads import export
from pages.why import all_methods, cached_answers, explained_method, long_answers, sentence
from pages.why.question_asked import AskedQuestion, repeat
from viz.charts.effects import attribution_charts
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html
from viz.numbers import percent, signed

RANKS = ("first", "correlation")  # measures of the ranks of words
ENDS = ("mean", "low", "high")


def figures(subject: AskedQuestion) -> None:
    """All methods for this token, its deletion curves and ranks, then the result over many sentences."""
    by_method = all_methods.figure(subject)
    if by_method is None:
        return
    name, _ = sentence.method(subject)
    explained_method.figure(subject, name)
    page.flush()
    with page.card("figure_curves", words("why.curves_title"), words("why.curves_about")):
        if cached_answers.deletable(subject) < method_names.FEWEST:
            show.text(words("why.too_short", fewest=method_names.FEWEST))
        else:
            _live(subject, by_method)
        repeat(subject, "trust")
    page.flush()
    if subject.label_kind in WITHOUT_PROBABILITY:  # over sentences probabilities are compared
        return
    with page.card("figure_recorded", words("why.measured_title")):
        _measured(subject)


def _live(subject: AskedQuestion, by_method: dict[str, np.ndarray]) -> None:
    curves = long_answers.curves(subject, by_method)
    if curves is None:
        return
    titles, texts, is_share = section("why_method"), section("why_curves"), subject.has_probability
    by_name = {name: np.exp(curve) if is_share else curve for name, curve in curves.items()}
    curves_by_title = {titles[name]: curve for name, curve in by_name.items()}
    key = "difference" if subject.rather is not None else "probability" if is_share else subject.label_kind
    label = texts[key].format(token=subject.token, other=subject.other)
    special = {titles[method_names.REFERENCE]: "reference", titles[method_names.RANDOM]: "chance"}
    figure = attribution_charts.deletion_chart(curves_by_title, special, label, texts, shares=is_share)
    show.figure("why-deletion", figure.with_rows(lambda: attribution_charts.deletion_rows(by_name)),
                measured=sentence.ONE)  # fmt: skip
    reference, places = by_method[method_names.REFERENCE], cached_answers.compared(subject)
    heads = [texts[head] for head in ("method", "correlation", "first", "mean")]
    rows, numbers = [], list[dict[str, object]]()
    for name, values in by_method.items():
        if titles[name] not in curves_by_title:
            rows.append((titles[name], "–", "–", "–"))
            continue
        rho = trust.agreement(values, reference, places)
        same = trust.same_first(values, reference, places)
        mean = curves_by_title[titles[name]][1:].mean()
        numbers.append({"method": name, "correlation": rho, "same_first": same, "mean": mean})
        rows.append(
            (
                titles[name],
                "–" if np.isnan(rho) else signed(rho),
                "✓" if same else "–",
                percent(mean, 1) if is_share else signed(mean),
            )
        )
    show.table(table_html(heads, rows, chosen=len(rows) - 1))
    show.caption(words("why.ranks_about"))
    export.files("why-ranks", Numbers(numbers), measured=sentence.ONE)


def _measured(subject: AskedQuestion) -> None:
    """The result of the command, from the model's card."""
    entry = subject.current_run.entry
    result = card_scores.measured(entry.card)
    if result is None:
        if entry.name in catalogue.entries():
            show.text(words("why.not_measured"))
            st.code(f".venv/bin/python -m model {attributions.MEASUREMENT.saving(entry.name)}", language=None)
            show.caption(words("why.not_measured_lines"))
        else:
            show.text(words("why.not_measured_own"))
        return
    texts, titles = section("why_curves"), section("why_method")
    show.caption(words("why.measured_about", words=result["words"]))
    twin = card_scores.of_random_weights(result)
    both = [result] if twin is None else [result, twin]
    of_weights = ("first", "first_random", "correlation", "correlation_random") if twin else ("first", "correlation")
    heads = [texts[head] for head in ("method", *of_weights, "mean")]
    rows = [
        (
            titles[name],
            *(_percent(each["first"].get(name)) for each in both),
            *(_interval(each["correlation"].get(name)) for each in both),
            _percent(result["area"].get(name)),
        )
        for name in method_names.METHODS
    ]
    nothing = [""] * len(of_weights)
    rows.append((titles[method_names.RANDOM], *nothing, _percent(result["area"][method_names.RANDOM])))
    show.table(table_html(heads, rows, chosen=len(method_names.METHODS) - 1))
    if any(method_names.UNCERTAIN not in each["first"] for each in both):
        show.caption(words("why.no_score", method=titles[method_names.UNCERTAIN]))
    best = card_scores.best(result)
    shares = {name: percent(result["first"][name][0]) for name in ("attention", best)}
    key = "why.attention_best" if best == "attention" else "why.attention_not_best"
    show.text(words(key, attention=shares["attention"], best=titles[best], share=shares[best]))
    if twin:
        show.text(words("why.random_weights", share=percent(twin["first"][best][0]), best=titles[best]))
    show.caption(words("why.limits"))
    numbers = [
        {"weights": weights, "measure": measure, "method": name} | dict(zip(ENDS, interval, strict=False))
        for weights, each, measures in (("trained", result, (*RANKS, "area")), ("random", twin, RANKS))
        for measure in measures
        for name, interval in (each or {}).get(measure, {}).items()
    ]
    measured = {"sentences": result["words"], "seed": (twin or {}).get("seed")}
    export.files("why-trust", Numbers(numbers), measured=measured)
    folder_command.repeat(entry, attributions.MEASUREMENT.name)


def _percent(interval: list[float] | None) -> str:
    if interval is None:
        return "–"
    mean, low, high = interval
    return words("number.with_range", value=percent(mean), low=percent(max(0.0, low)), high=percent(min(1.0, high)))


def _interval(interval: list[float] | None) -> str:
    if interval is None:
        return "–"
    mean, low, high = map(signed, interval)
    return words("number.with_range", value=mean, low=low, high=high)
