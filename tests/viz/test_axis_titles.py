"""Titles beside an axis: Vega makes the chart lower until one that is longer than the axis fits."""

import pytest

from pages.shared.text.words import all_texts
from viz.chart_legends import LETTER, SIZE
from viz.charts.effects.path_charts import HEIGHT
from viz.text_width import text_width

BELOW = 80  # px of the numbers and the title below the curves, and of the padding


@pytest.mark.parametrize("language", ["en", "zh", "es"])
def test_the_title_beside_the_curves_is_no_longer_than_they_are_high(language: str) -> None:
    title = all_texts(language)["why_kept.kept"]
    assert text_width(title, SIZE, LETTER) <= HEIGHT - BELOW
