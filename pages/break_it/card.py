"""One mistake: the line, the figure in which it shows, its numbers, and what it does to learning."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from model.analysis import sinusoids
from model.mistakes import known_mistakes, learning, metrics, probes, training_settings
from pages.break_it import instruments, twins
from pages.break_it.learning import curves
from pages.break_it.twins import EXAMPLE, Case
from pages.shared.layout import page
from pages.shared.layout.tour import Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.charts import mistake_charts
from viz.data import Matrix
from viz.numbers import percent

FIRST = "inverted_frequency"
WRONG_EXAMPLE = "row_3 = x[3] + [sin(3), cos(3), sin(3 / 10), cos(3 / 10)]"
RIGHT_EXAMPLE = "row_3 = x[3] + [sin(3), cos(3), sin(3 / 100), cos(3 / 100)]"
BASES = (10_000, 100)
SHARES = ("nan_share", "future_share", "near_diagonal", "exact", "copied")  # said in percent
LEFT_OUT = ("masked_weight",)
NARROW = 64  # the width at which docs/systems.md names the inverted frequency
WIDTHS = np.array([2, 4, 8, 16, 32, 64, 128, 256, 512])
# where more is to be seen: a page, and what is set up there
DOORS: dict[str, tuple[str, dict[str, object]]] = {
    "inverted_frequency": ("position", {}),
    "unscaled_scores": ("primer", {"show": "why"}),
    "unscaled_embedding": ("energy", {"show": "claim", "unscaled": True}),
    "unfit_init": ("energy", {"show": "claim"}),
    "no_causal_mask": ("masks", {"show": "leak"}),
    "no_padding_mask": ("masks", {"show": "padding"}),
    "finite_fill": ("masks", {"show": "fill"}),
    "softmax_axis": ("attention", {}),
    "norm_ignored": ("layers", {}),
    "textbook_norm": ("layers", {}),
    EXAMPLE: ("position", {"show": "worked"}),
}
FORMULAS = {
    "inverted_frequency": "position",
    "norm_ignored": "residual",
    "result_for_function": "residual",
    "unscaled_scores": "scores",
    "unscaled_embedding": "energy",
    "unfit_init": "energy",
    "no_causal_mask": "mask",
    "no_padding_mask": "mask",
    "finite_fill": "mask",
    "softmax_axis": "softmax",
    "same_ids": "ids",
    "textbook_norm": "norm",
    "recorded_after_dropout": "dropout",
    EXAMPLE: "position",
}


def tour() -> tuple[Stop, ...]:
    """From the line to its figure, its numbers, what it does to learning, and the riddle."""
    return (
        Stop("break.tour_choose", "mistakes", {"show": None, "mistake": None}),
        Stop("break.tour_figure", "figure_symptom", {"show": None, "mistake": "softmax_axis"}),
        Stop("break.tour_learning", "figure_learning", {"show": "effect", "mistake": "no_causal_mask"}),
        Stop("break.tour_find", "figure_find", {"show": "find"}),
    )


def choose() -> str:
    """The control for the mistake."""
    keys = (*twins.mistakes(), EXAMPLE)
    titles = {key: words(f"break_titles.{key}") for key in keys}
    about = {key: words(f"break_does.{key}") for key in keys}
    with st.container(key="mistakes"):
        return controls.listed("mistake", words("break.mistake"), titles, about, FIRST)


def card(current_run: CurrentRun, key: str) -> None:
    """The line and its symptom."""
    with page.card("figure_symptom", words(f"break_titles.{key}")):
        show.text(words(f"break_picture.{key}"))
        if key == EXAMPLE:
            show.table(mistake_charts.lines_html(WRONG_EXAMPLE, RIGHT_EXAMPLE, section("break_lines")))
            _example()
        else:
            _symptom(twins.case(current_run, key))
        with st.container(horizontal=True, horizontal_alignment="distribute", key="card_ways"):
            with st.popover(words("break.formula"), type="tertiary"):
                page.formula(f"mistake_{FORMULAS[key]}")
            _door(key)


def _symptom(case: Case) -> None:
    mistake = twins.mistakes()[case.key]
    show.table(mistake_charts.lines_html(mistake.wrong, mistake.right, section("break_lines")))
    show.caption(sentences(twins.seen_in(mistake), _model(case)))
    if mistake.raises:
        _error(case)
        return
    instruments.SHOWN_IN[case.key][0](case, case.twins)
    with st.container(key="numbers"):
        show.table(mistake_charts.numbers_html(_numbers(case), section("break_chart")))
    model_notices.untrained(case.current_run)


def _model(case: Case) -> str:
    if case.obstacle is None or case.obstacle == "raises":
        return words("break.in_use")
    width = case.twins["healthy"].model.config.d_model
    return words(f"break_obstacle.{case.obstacle}") + words("break.stand_in", d_model=width, seed=twins.SEED)


def _error(case: Case) -> None:
    """Draw Python's error message, from the model in use."""
    message, shape = probes.type_error(case.twins["healthy"], case.sample)
    st.code(message, language=None, wrap_lines=True)
    show.text(words("break_figure.function", shape=shape))


def _numbers(case: Case) -> list[tuple[str, str, str]]:
    rows = [
        (words(f"break_numbers.{number}"), _rounded(number, healthy), _rounded(number, wrong))
        for number, healthy, wrong in _values(case)
        if number not in LEFT_OUT and not number.startswith("rms_")
    ]
    if case.key == "inverted_frequency":
        good, bad = (
            float(metrics.frequencies(known_mistakes.SMALL, inverted=inverted)[-1]) for inverted in (False, True)
        )
        rows.append(
            (words("break_numbers.at_width", d_model=NARROW), mistake_charts.figures(good), mistake_charts.figures(bad))
        )
    return rows


def _values(case: Case) -> list[tuple[str, float, float]]:
    """Number by number, healthy and broken; the learned ones from the prepared runs."""
    if case.key == "no_causal_mask":
        healthy, wrong = (probes.future_share(twin, case.sample) for twin in case.twins.values())
        return [("future_share", healthy, wrong)]
    if case.key == "same_ids":
        good, bad = learning.pair(case.key)
        return [("near_diagonal", good.diagonal or 0, bad.diagonal or 0), ("copied", good.copied, bad.copied)]
    if case.key == "textbook_norm":
        healthy, wrong = (float(probes.normalised(twin, case.sample).mean()) for twin in case.twins.values())
        return [("deviation", healthy, wrong)]
    return twins.measured(case.current_run.entry, case.current_run.sentence, case.key)


def _rounded(number: str, value: float) -> str:
    if number in SHARES:
        return percent(value)
    return mistake_charts.figures(value)


def effect(current_run: CurrentRun, key: str) -> None:
    """Draw the consequences of the mistake: for learning, for each model's output, and its other figures."""
    _learning(key)
    if key != EXAMPLE and not twins.mistakes()[key].raises:
        _consequences(twins.case(current_run, key))


def _consequences(case: Case) -> None:
    """Draw a trained model's output, the further figures, and the factor over the width."""
    if case.obstacle is None and case.key not in ("same_ids", "recorded_after_dropout"):
        _output(case)
    for draw in instruments.SHOWN_IN[case.key][1:]:
        draw(case, case.twins)
    if case.key == "textbook_norm":
        d_model = case.twins["healthy"].model.config.d_model
        show.text(words("break_figure.factor", d_model=d_model, factor=f"{math.sqrt((d_model - 1) / d_model):.4f}"))
        rows = mistake_charts.line_rows({"formula": np.sqrt((WIDTHS - 1) / WIDTHS).tolist()}, WIDTHS.tolist())
        texts = section("break_chart")
        own = {part: texts[f"factor_{part}"] for part in ("x", "y", "description")}
        figure = mistake_charts.lines_chart(rows, texts | own | {"formula": "√((d − 1) / d)"})
        show.figure("break-factor", figure)


def _output(case: Case) -> None:
    if case.current_run.entry.config.architecture == "encoder":
        return
    show.subheader(words("break_figure.output"))
    instruments.output(case, case.twins)


def _example() -> None:
    """Row 3 of the textbook's worked example: as published, and as either base gives it."""
    rows = [
        np.array(sinusoids.PUBLISHED_ROW_3),
        *(sinusoids.worked_example(base)[3] for base in BASES),
    ]
    names = (words("break_figure.published"), *(words("break_figure.base", base=f"{base:,}") for base in BASES))
    columns = ("sin(pos)", "cos(pos)", "sin(pos / √base)", "cos(pos / √base)")
    figures = [Matrix("row", words("break_figure.row"), np.stack(rows), names, columns, scale="signed", limit=2.0)]
    matrices("break_example", figures, files="break-example")
    right, other = (sinusoids.worked_example(base)[3] for base in BASES)
    row_in_book = np.array(sinusoids.PUBLISHED_ROW_3)
    lines = [
        (words("break_figure.column", name=name), f"{good:.3f}", f"{bad:.3f}")
        for name, good, bad in zip(columns, right, row_in_book, strict=True)
    ]
    titles = {"healthy": words("break_figure.base", base=f"{BASES[0]:,}"), "broken": words("break_figure.published")}
    show.table(mistake_charts.numbers_html(lines, titles))
    off = float(np.abs(row_in_book[2:] - other[2:]).max())
    show.text(words("break_figure.example", off=f"{off:.4f}", wrong=f"{float(np.abs(row_in_book - right).max()):.3f}"))


def _door(key: str) -> None:
    if key in DOORS:
        name, choices = DOORS[key]
        if st.button(words("break.door", page=words(f"pages.{name}")), key="door", type="tertiary"):
            address.open_page(name, **choices)


def _learning(key: str) -> None:
    """Draw what the mistake does to learning."""
    with page.card("figure_learning", words("break.learning")):
        show.text(words(f"break_learning.{key}"))
        curves(key)
        if key in training_settings.TRAINABLE and st.button(words("break.train"), key="train"):
            address.open_page("train", **training_settings.TRAINABLE[key])
