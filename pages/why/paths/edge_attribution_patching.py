"""When the cheap method may be trusted: every edge between parts of a model, estimated and really patched."""

from __future__ import annotations

import streamlit as st

from model.checkpoint import catalogue
from model.circuits.computational_graph import edges
from model.measurements import edge_effects
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import folder_command, show
from pages.shared.ui.downloads import export
from pages.why.question_asked import AskedQuestion
from viz.charts.effects import path_charts
from viz.figures.chart import Chart
from viz.figures.figure import Numbers
from viz.html.plain_table import table_html
from viz.numbers import percent, signed

METHODS = ("eap", "eap_ig")
EXAMPLE = "reverse"  # whose edges are shown where a model has none saved


def figure(subject: AskedQuestion) -> None:
    """The saved edges of the model in view, or those of a small one."""
    entry = subject.current_run.entry
    with page.card("figure_edges", words("why_edges.title"), words("why_edges.about")):
        saved = edge_effects.MEASUREMENT.saved(entry)
        if saved is not None:
            _measured(entry, saved)
            return
        _not_measured(entry)
        example = catalogue.entries().get(EXAMPLE)  # None where the server does not have it
        saved = edge_effects.MEASUREMENT.saved(example) if example else None
        if example and saved:
            show.text(words("why_edges.of_example", example=EXAMPLE))
            _measured(example, saved)


def _not_measured(entry: catalogue.Entry) -> None:
    """Say why, and how it can be measured."""
    if not edges.can_wire(models.checkpoint(entry).model.config):
        show.text(words("why_edges.cannot"))
    elif entry.name in catalogue.entries():
        show.text(words("why_edges.not_measured"))
        st.code(f".venv/bin/python -m model {edge_effects.MEASUREMENT.saving(entry.name)}", language=None)
    else:
        show.text(words("why_edges.not_measured_own"))


def _measured(entry: catalogue.Entry, saved: edge_effects.Saved) -> None:
    texts = section("why_edges_chart")
    titles = {method: texts[method] for method in METHODS}
    trained, twin = saved.agreement["trained"], saved.agreement["random"]
    ranks = {method: trained[method]["rank"][0] for method in METHODS}
    show.text(
        sentences(
            words("why_edges.says", name=entry.name, edges=len(saved.edges), sentences=saved.exchanged,
                  eap=signed(ranks["eap"]), eap_ig=signed(ranks["eap_ig"]),
                  strongest=percent(trained["eap"]["strongest"][0]),
                  strongest_ig=percent(trained["eap_ig"]["strongest"][0])),
            words("why_edges.random", eap=signed(twin["eap"]["rank"][0]), eap_ig=signed(twin["eap_ig"]["rank"][0])),
        )
    )  # fmt: skip
    measured = {"model": entry.name, "sentences": saved.exchanged, "seed": saved.seed}
    chart = _chart(entry.name, edge_effects.MEASUREMENT.written(entry), view.language(), _saved=saved)
    show.figure("why-edges", chart, measured=measured)
    rows = [
        (titles[method], *(_interval(table[method][measure], measure)
         for measure in ("rank", "strongest") for table in (trained, twin)))
        for method in METHODS
    ]  # fmt: skip
    heads = [texts[head] for head in ("method", "rank", "rank_random", "strongest", "strongest_random")]
    show.table(table_html(heads, rows))
    page.formula("edge_estimate")
    show.caption(words("why_edges.limit"))
    numbers = [
        {"weights": weights, "method": method, "measure": measure, "mean": mean, "low": low, "high": high}
        for weights, methods in saved.agreement.items()
        for method, measures in methods.items()
        for measure, (mean, low, high) in measures.items()
    ]
    export.files("why-edges-agreement", Numbers(numbers), measured=measured)
    folder_command.repeat(entry, edge_effects.MEASUREMENT.name)


@models.cached
def _chart(name: str, written: int, language: str, *, _saved: edge_effects.Saved) -> Chart:
    """The same for every sentence, as long as the file of the model is not written again."""
    texts = section("why_edges_chart")
    titles = {method: texts[method] for method in METHODS}
    return path_charts.estimates_chart(_saved.edges, titles, texts)


def _interval(values: list[float], measure: str) -> str:
    """A mean with its interval."""
    texts = [percent(value) if measure == "strongest" else signed(value) for value in values]
    return f"{texts[0]} ({texts[1]} … {texts[2]})"
