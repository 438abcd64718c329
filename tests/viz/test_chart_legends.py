"""Legends where a chart is as narrow as on a phone, in the SVG that Vega itself makes."""

import re

from tests.figures import check_chart
from viz.charts.effects.intervention_charts import ranks_chart
from viz.figures.chart import Chart

NAMES = ["autoatención del codificador", "autoatención del decodificador", "atención cruzada"]
WORDS = dict.fromkeys(("strength", "size", "head", "dots_description"), "texto")


def size(chart: Chart, width: int) -> list[float]:
    """Width and height of the picture of a chart that is so wide itself."""
    chart.spec["width"] = width
    return [float(number) for number in re.findall(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"', chart.svg())[0]]


def test_a_legend_takes_more_lines_where_it_would_be_cut() -> None:
    colours = dict(zip(NAMES, ("#111111", "#222222", "#333333"), strict=True))
    chart = ranks_chart([0.1, 0.2, 0.3], [1, 2, 3], NAMES, ["0.0", "0.1", "0.2"], WORDS, colours)
    check_chart(chart.spec)
    (_, low), (narrow, high) = size(chart, 900), size(chart, 260)
    assert narrow < 340, "the chart, its axis and nothing beside them"
    assert high > low + 20, "one line of names is three"


def test_a_legend_that_fits_on_a_phone_stays_as_it_is() -> None:
    chart = ranks_chart([0.1, 0.2], [1, 2], ["a", "b"], ["0.0", "0.1"], WORDS, {"a": "#111111", "b": "#222222"})
    assert "columns" not in chart.spec["encoding"]["color"]["legend"]


def test_many_names_leave_the_chart_its_height() -> None:
    names = [f"{number} gradientes integrados" for number in range(9)]
    colours = dict.fromkeys(names, "#111111")
    chart = ranks_chart([0.5] * 9, range(9), names, names, WORDS, colours)
    check_chart(chart.spec)
    (_, low), (narrow, high) = size(chart, 900), size(chart, 320)
    assert narrow < 400, "shortened texts"
    assert high < low + 20, "three lines, and two in a wide chart"
