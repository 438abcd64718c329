"""Effect of a mistake on learning: the prepared runs, and their models on a word of the user's."""

from __future__ import annotations

import streamlit as st

from model.mistakes import learning, metrics, probes
from pages.shared.text import notices
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.charts import mistake_charts
from viz.data import Matrix
from viz.numbers import percent

WORD = "faced"


def curves(key: str) -> None:
    """The losses of both twins, and how many unseen words each gets right."""
    if key not in learning.learners():
        return
    healthy, broken = learning.pair(key)
    steps = [learning.EVERY * (number + 1) for number in range(len(healthy.loss))]
    rows = mistake_charts.line_rows({"healthy": healthy.loss, "broken": broken.loss}, steps)
    texts = section("break_chart")
    own = {part: texts[f"learning_{part}"] for part in ("x", "y", "description")}
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        show.figure("break-learning", mistake_charts.lines_chart(rows, texts | own, log=True))
    loss, exact = words("break_numbers.loss", steps=steps[-1]), words("break_numbers.exact", count=learning.UNSEEN)
    lines = [
        (loss, mistake_charts.figures(healthy.loss[-1]), mistake_charts.figures(broken.loss[-1])),
        (exact, percent(healthy.exact), percent(broken.exact)),
    ]
    with right:
        show.table(mistake_charts.numbers_html(lines, texts))
    if key in learning.KEPT:
        _word(key)


def _word(key: str) -> None:
    """Both learned models on a word that the user types."""
    word = controls.text("word", words("break.word", letters=learning.LETTERS), WORD, 12).strip().lower()
    source = learning.spelled(word)
    if source is None:
        limits = {"least": learning.SHORTEST, "most": learning.LONGEST, "letters": learning.LETTERS}
        notices.say("warning", words("break.word_refused", **limits))
        word, source = WORD, learning.spelled(WORD)
    assert source is not None
    twins = dict(zip(("healthy", "broken"), learning.twins(key), strict=True))
    good, bad = (learning.generated(twin, source) or words("frame.nothing") for twin in twins.values())
    show.table(mistake_charts.numbers_html([(words("break.reversed", word=word), good, bad)], section("break_chart")))
    if key == "same_ids":
        _cross(twins, source, word)


def _cross(twins: dict, source: list[int], word: str) -> None:
    target = [source[0], *source[-2:0:-1]]  # <bos> and the word backwards
    figures = []
    for which, twin in twins.items():
        values = probes.weights(twin, metrics.Sample(tuple(source), tuple(target)), "cross", 0).mean(0)  # over heads
        backwards = tuple(word[::-1])
        keys = ("<bos>", *backwards) if twin.same_ids else ("<bos>", *word, "<eos>")
        axes = (words("break_figure.read"), words("break_figure.keys"))
        title = words("break_figure.cross", which=words(f"break_chart.{which}"))
        matrix = Matrix(which, title, values, ("<bos>", *backwards), keys, *axes, scale="weight", colour="cross")
        figures.append(matrix)
    matrices("break_cross", figures, files="break-cross")
