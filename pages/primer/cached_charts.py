"""The charts of the primer, cached for all sessions."""

from collections.abc import Callable
from typing import Any

from pages.shared.models.models import cached
from pages.shared.session import view
from pages.shared.text.words import section
from pages.shared.ui import show
from viz.charts import primer_charts
from viz.charts.primer_charts import LINE
from viz.figures.chart import Chart

_CHARTS: dict[str, Callable[..., Any]] = {
    "dictionary": primer_charts.dictionary_chart,
    "query": primer_charts.query_chart,
    "query_weights": primer_charts.query_weights_chart,
    "vectors": primer_charts.vectors_chart,
    "scores": primer_charts.scores_chart,
    "weights": primer_charts.weights_chart,
    "variance": primer_charts.variance_chart,
    "softmax": primer_charts.sharpness_chart,
}
_DRAWING = ("text", "end", "part")  # columns that only the drawing needs


def draw(name: str, *numbers: object) -> None:
    """The figure of that name, and its numbers to take away."""
    show.figure(name, _chart(name, view.language(), *numbers))


@cached
def _chart(name: str, language: str, *numbers: Any) -> Chart:
    """Altair takes 10 ms for a chart, so those that a control does not change are kept."""
    chart: Chart = _CHARTS[name](*numbers, _words(name))
    return chart.with_rows(lambda: _rows(chart.spec))


def _words(name: str) -> dict[str, str]:
    if name == "dictionary":
        return section("primer_dictionary")
    if name.startswith("query"):
        return section("primer_query")
    return section("primer_why") if name in ("variance", "softmax") else section("primer_scores")


def _rows(spec: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [row for row in spec["data"]["values"] if row.get("part", LINE) == LINE]
    return [{key: value for key, value in row.items() if key not in _DRAWING} for row in rows]
