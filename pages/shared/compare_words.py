"""Word by word: how likely each model finds the same words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.shared import charts, controls, page
from pages.shared.compare import Pair, Pass
from pages.shared.words import section, words
from viz.compare import words_chart, words_rows
from viz.decoding_html import table_html


def target(pair: Pair) -> str:
    """Whose words both read; the control is drawn where there is a choice."""
    if not pair.shared or pair.a.entry.config["architecture"] == "encoder":
        return "a"
    if pair.a.written().ids == pair.b.written().ids:
        return "a"
    return controls.choice("reads", words("compare.reads"), section("compare_reads"), "a")


def probabilities(pair: Pair, first: Pass, second: Pass) -> None:
    """The log-probability of each word under both, on the same words where that is possible."""
    found = [(one, scores) for one in (first, second) if (scores := one.scores()) is not None]
    for one in (first, second):
        if one.scores() is None:
            st.text(words("compare_words.none", name=one.side.name))
    if pair.shared and len(found) == 2:
        _together(first, second)
    else:
        if found:
            st.text(words("compare_words.apart"))
        for number, (one, scores) in enumerate(found):
            _drawn(f"compare-words-{number}", one.tokens(), {one.side.name: scores})
    for architecture in dict.fromkeys(one.side.entry.config["architecture"] for one, _ in found):
        _formula(architecture)


def _formula(architecture: str) -> None:
    """What is drawn; a decoder alone reads no x, an encoder alone nothing before y_t."""
    before = {r"y_{<t}": "compare_words.before"} if architecture != "encoder" else {}
    x = {"x": "compare_words.x"} if architecture != "decoder" else {}
    word = "compare_words.word" if before else "compare_words.likeliest"
    page.formula(rf"\log p(y_t \mid {', '.join(before | x)})", {"y_t": word} | before | x)


def _together(first: Pass, second: Pass) -> None:
    a, b = first.scores(), second.scores()
    assert a is not None
    assert b is not None
    names = [one.side.name for one in (first, second)]
    names[1] = names[1] if names[0] != names[1] else f"{names[1]} ′"
    _drawn("compare-words", first.tokens(), dict(zip(names, (a, b), strict=True)))
    heads = ["", *names, words("compare_words.difference")]
    rows = [
        [words(f"compare_words.{name}"), *(_number(value) for value in (x, y, y - x))]
        for name, x, y in (
            ("mean", a.mean(), b.mean()),
            ("total", a.sum(), b.sum()),
            ("perplexity", np.exp(-a.mean()), np.exp(-b.mean())),
        )
    ]
    st.html(table_html(heads, rows))
    most = int(np.abs(b - a).argmax())
    if a[most] != b[most]:
        token, values = first.tokens()[most], {"a": _number(a[most]), "b": _number(b[most])}
        st.text(words("compare_words.most", token=token, **values))


def _drawn(name: str, tokens: tuple[str, ...], series: dict[str, np.ndarray]) -> None:
    charts.chart(name, words_chart(tokens, series, section("compare_chart")), lambda: words_rows(tokens, series))


def _number(value: float) -> str:
    if abs(value) >= 10_000 or 0 < abs(value) < 0.001:
        return f"{value:.2g}".replace("-", "−")
    return f"{value:.3f}".replace("-", "−")
