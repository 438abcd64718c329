"""What a screen reader is told of charts: every mark by its tooltip, in the SVG that Vega itself makes."""

import re

import numpy as np

from tests.figures import check_chart
from viz.charts.basic.bars import bars_chart
from viz.charts.basic.distance_charts import distance_chart
from viz.charts.effects.pruning_charts import Score, Without, scores_chart
from viz.figures.chart import Chart

WORDS = dict.fromkeys(("order", "removed", "score", "low", "high", "head", "distance", "label", "value"), "")
WORDS |= {name: f"el {name}" for name in WORDS} | {"description": "Una figura"}


def heard(chart: Chart) -> list[str]:
    check_chart(chart.spec)
    return re.findall(r'aria-label="(.*?)"', chart.svg())


def test_points_upon_lines_are_told_with_their_numbers_and_lines_are_not() -> None:
    chart = distance_chart([0, 1], np.array([[0.25, -2.0]]), WORDS)
    begin = "el head: 0; el distance"
    assert heard(chart) == [f"{begin}: 0; el value: 0.25", f"{begin}: 1; el value: −2"]


def test_a_bar_and_its_second_axis_are_one_thing_and_its_name_is_text() -> None:
    chart = bars_chart(["a'b\\c", "d"], [0.5, 1.0], WORDS)
    assert heard(chart) == ["el label: a'b\\c; el value: 0.5", "el label: d; el value: 1"]


def test_a_tooltip_keeps_its_format_and_each_table_its_rows() -> None:
    scores = [Score("azar", removed, 50.04, 40, 60) for removed in (0, 1)]
    chart = scores_chart(scores, [Without("sin cabezas", 3, "#333333")], WORDS)
    numbers = "el score: 50.0; el low: 40.0; el high: 60.0"
    assert heard(chart) == [
        "el order: sin cabezas; el score: 3.0",
        *(f"el order: azar; el removed: {removed}; {numbers}" for removed in (0, 1)),
    ]


def test_new_numbers_leave_a_chart_its_descriptions() -> None:
    """Streamlit builds a chart anew where anything but its data differs."""
    one, other = (distance_chart([0, 1], np.array([values]), WORDS).spec for values in ([0.1, 0.2], [0.3, 0.4]))
    assert one | {"data": None} == other | {"data": None}
