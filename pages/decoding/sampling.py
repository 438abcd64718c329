"""Other ways to an output: drawing it, searching with a beam, and judging one that is given."""

from __future__ import annotations

import streamlit as st

from model.analysis.softmax import log_probabilities
from model.checkpoint import catalogue
from model.decode import forced_tokens, token_sampling
from pages.decoding import output_list
from pages.decoding.output_list import Decoding
from pages.decoding.timeline import bars
from pages.shared.layout import page
from pages.shared.models import ending, models
from pages.shared.session import view
from pages.shared.text.numbers import nats
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts import decoding_charts
from viz.figures.chart import Chart
from viz.html.plain_table import table_html
from viz.numbers import percent

DRAWS = 8  # outputs sampled beside each other


# sampling


def sampling(decoding: Decoding) -> None:
    """The distribution that this step draws from, and outputs of several seeds beside each other."""
    if decoding.sampling is None:
        show.text(words("decoding_sampling.greedy"))
        st.button(words("decoding_sampling.switch"), key="to_sampling", on_click=view.choose, kwargs={"way": "sample"})
        return
    settings = decoding.sampling
    candidates = tuple(bars(decoding, 10))
    show.figure("distribution", _bars_chart(candidates, view.language()))
    _outside(decoding, candidates)
    page.formula("sampling")
    show.subheader(words("decoding_sampling.several", count=DRAWS))
    show.caption(words("decoding_sampling.several_hint"))
    greedy = output_list.run(decoding.entry, decoding.current_run.sentence, (), None)
    lines = [_line(decoding, words("decoding_beam.greedy"), greedy.run.ids)]
    texts = set()
    for seed in range(settings.seed, settings.seed + DRAWS):
        own = token_sampling.Sampling(settings.temperature, settings.top_k, settings.top_p, seed)
        ids = output_list.run(decoding.entry, decoding.current_run.sentence, (), own).run.ids
        texts.add(ids)
        lines.append(_line(decoding, str(seed), ids))
    heads = [words(f"decoding_sampling.{name}") for name in ("text", "log_probability")]
    show.table(table_html(heads, lines, chosen=0))
    show.text(words("decoding_sampling.distinct", count=len(texts), draws=DRAWS))


def _outside(decoding: Decoding, candidates: tuple[decoding_charts.Bar, ...]) -> None:
    """How much of the probability lies on the words that are not shown, and what in the training keeps it there."""
    *bars, others = candidates
    vocabulary = decoding.entry.config.target_vocabulary
    count = vocabulary - len(bars)
    if not count:
        return
    shares = {"share": 1 - others.probability, "others": others.probability, "each": others.probability / count}
    percentages = {name: percent(share, 2) for name, share in shares.items()}
    show.text(words("decoding_sampling.outside", shown=len(bars), count=f"{count:,}", **percentages))
    if not others.drawn and sum(bool(bar.drawn) for bar in bars) == 1:
        show.text(words("decoding_sampling.one"))
    smoothing = decoding.entry.card.get("training", {}).get("label_smoothing")
    if isinstance(smoothing, float) and smoothing > 0:  # of older cards nothing is known
        show.text(words("decoding_sampling.smoothing", smoothing=f"{smoothing:g}", vocabulary=f"{vocabulary:,}"))


@models.cached
def _bars_chart(candidates: tuple[decoding_charts.Bar, ...], language: str) -> Chart:
    return decoding_charts.candidates_chart(candidates, section("decoding_chart"))


def text_of(decoding: Decoding, ids: tuple[int, ...]) -> str:
    return models.tokenizer(decoding.entry).decode(ids) or "∅"


def _line(decoding: Decoding, name: str, ids: tuple[int, ...]) -> list[str]:
    total = log_probability(decoding.entry, decoding.current_run.sentence, ids)
    return [f"{name} · {text_of(decoding, ids)}", nats(total)]


@models.cached
def log_probability(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> float:
    """Of a whole output, in nats, by a pass of its own."""
    start = ending.begin(entry, sentence)
    logits = forced_tokens.steps_of(models.checkpoint(entry), start, ids).values["logits"][len(start.prompt) - 1 :]
    return float(log_probabilities(logits, ids).sum())
