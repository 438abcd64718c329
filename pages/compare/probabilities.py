"""Word by word: how likely each model finds the same words."""

from __future__ import annotations

import math

import numpy as np

from pages.compare.pair import Pair, Pass
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.compare_charts import words_chart
from viz.html.plain_table import table_html

MOST_DECIMALS = 6


def target(pair: Pair) -> str:
    """Choose the side whose words both read; the control is drawn where there is a choice."""
    if not pair.shared or pair.a.entry.config.architecture == "encoder":
        return "a"
    if pair.a.generated().ids == pair.b.generated().ids:
        return "a"
    return controls.choice("reads", words("compare.reads"), section("compare_reads"), "a")


def probabilities(pair: Pair, first: Pass, second: Pass) -> None:
    """The log-probability of each word under both, on the same words where that is possible."""
    pairs = [(pass_, scores) for pass_ in (first, second) if (scores := pass_.scores()) is not None]
    for pass_ in (first, second):
        if pass_.scores() is None:
            show.text(words("compare_words.none", name=pass_.side.name))
    if pair.shared and len(pairs) == 2:
        _together(first, second)
    else:
        if pairs:
            show.text(words("compare_words.apart"))
        for number, (pass_, scores) in enumerate(pairs):
            _drawn(f"compare-words-{number}", pass_.tokens(), {pass_.side.name: scores})
    for architecture in dict.fromkeys(pass_.side.entry.config.architecture for pass_, _ in pairs):
        # a decoder alone reads no x, an encoder alone nothing before y_t
        page.formula(f"probability_{architecture}")


def _together(first: Pass, second: Pass) -> None:
    a, b = first.scores(), second.scores()
    assert a is not None
    assert b is not None
    names = [each.side.name for each in (first, second)]
    _drawn("compare-words", first.tokens(), dict(zip(names, (a, b), strict=True)))
    perplexities = (f"{float(f'{np.exp(-scores.mean()):.4g}'):,.6g}" for scores in (a, b))
    rows = [
        [words("compare_words.mean"), *_printed(a.mean(), b.mean())],
        [words("compare_words.total"), *_printed(a.sum(), b.sum())],
        [words("compare_words.perplexity"), *perplexities, "–"],  # two of them are compared by their ratio
    ]
    show.table(table_html([words("compare_words.together"), "A", "B", words("compare_words.difference")], rows))
    most = int(np.abs(b - a).argmax())
    if a[most] != b[most]:
        of_a, of_b, _ = _printed(a[most], b[most])
        show.text(words("compare_words.most", token=first.tokens()[most], a=of_a, b=of_b))


def _drawn(name: str, tokens: tuple[str, ...], series: dict[str, np.ndarray]) -> None:
    show.figure(name, words_chart(tokens, series, section("compare_chart")))


def _printed(a: float, b: float) -> list[str]:
    """Two numbers and b − a with the same decimals: more where one is small, and the difference is that of the two."""
    small = min((abs(value) for value in (a, b) if value), default=1.0)
    decimals = min(max(3, math.ceil(-math.log10(small)) + 1), MOST_DECIMALS)
    a, b = round(a, decimals), round(b, decimals)
    return [f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−") for value in (a, b, b - a)]
