"""The trained models, each with one change more: loss, parameters, cache, and texts longer than in training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.train import llm_changes
from pages.shared.layout import page
from pages.shared.session import address
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts import llm_charts
from viz.html.plain_table import table_html
from viz.numbers import percent


@dataclass(frozen=True)
class Measured:
    """Scores on the card of one of these models. Losses are nats per target token, by seed.

    loss          (seeds) of held-out texts
    by_sentences  (seeds, N) of texts of 1 to N sentences
    """

    entry: catalogue.Entry
    changes: frozenset[str]
    loss: np.ndarray
    by_sentences: np.ndarray


def measured() -> dict[str, Measured]:
    """The models that are there and sound, in order, by title: 2017, then what each adds."""
    texts, entries = section("llm_change"), catalogue.entries()
    models = {}
    for name, changes in llm_changes.series().items():
        entry = entries.get(name)
        training = entry.card.get("training", {}) if entry is not None and entry.is_sound() else {}
        if entry is not None and "by_sentences" in training:
            title = words("llm.plus", change=texts[changes[-1]]) if changes else "2017"
            losses, curves = (np.array([*training[key].values()]) for key in ("target_loss", "by_sentences"))
            models[title] = Measured(entry, frozenset(changes), losses, curves)
    return models


def entry_with(change: str) -> catalogue.Entry | None:
    """The first trained model with that change."""
    return next((each.entry for each in measured().values() if change in each.changes), None)


def figures() -> None:
    """The table, and the loss by the number of sentences."""
    models = measured()
    if not models:
        show.text(words("llm.no_models"))
        return
    texts = section("llm_chart")
    with page.card("figure_loss", words("llm.loss_title")):
        _table(models)
        losses = {title: each.loss for title, each in models.items()}
        show.figure("llm-loss", llm_charts.loss_chart(losses, texts))
        show.caption(_says(models))
        _open(models)
    page.flush()
    with page.card("figure_lengths", words("llm.lengths_title")):
        curves = {title: each.by_sentences.mean(axis=0) for title, each in models.items()}
        longest = next(iter(models.values())).entry.card["run"]["sentences"]
        show.figure("llm-lengths", llm_charts.lengths_chart(curves, longest, texts))
        show.caption(words("llm.lengths_says", sentences=longest))


def _table(models: dict[str, Measured]) -> None:
    texts = section("llm_table")
    heads = [texts[head] for head in ("model", "loss", "exact", "parameters", "cached")]
    rows = []
    for title, each in models.items():
        cost = llm_changes.cost(each.changes)
        exact = each.entry.card["scores"]["grammar"]["exact"]
        rows.append((title, f"{each.loss.mean():.3f}", percent(exact), f"{cost.parameters:,}", f"{cost.cached:,}"))
    show.table(table_html(heads, rows))


def _says(models: dict[str, Measured]) -> str:
    """How the models were trained, and how much of a difference may be chance."""
    first, last = (list(models.values())[at] for at in (0, -1))
    spread = max(float(np.ptp(each.loss)) for each in models.values())
    run = first.entry.card["run"]
    return words(
        "llm.loss_says",
        steps=f"{run['steps']:,}",
        seeds=len(first.loss),
        first=f"{first.loss.mean():.2f}",
        last=f"{last.loss.mean():.2f}",
        spread=f"{spread:.2f}",
    )


def _open(models: dict[str, Measured]) -> None:
    """A link to each model."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="llm_models"):
        st.text(words("llm.open"), width="content")
        for title, each in models.items():
            query = address.offer("attention") | {"checkpoint": each.entry.name}
            st.page_link(address.script_of("attention"), label=title, query_params=query, width="content")
