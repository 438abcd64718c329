"""Titles and labels of an axis.

Vega makes a chart lower until a title that is longer than its axis fits, and leaves out every other of its labels where
they touch.
"""

import re

import numpy as np
import pytest

from pages.shared.text.words import all_texts
from viz.chart_legends import LETTER, SIZE
from viz.charts.effects.path_charts import HEIGHT
from viz.charts.layers.stream_charts import cosine_chart
from viz.text_width import text_width

BELOW = 80  # px of the numbers and the title below the curves, and of the padding


@pytest.mark.parametrize("language", ["en", "zh", "es"])
def test_the_title_beside_the_curves_is_no_longer_than_they_are_high(language: str) -> None:
    title = all_texts(language)["why_kept.kept"]
    assert text_width(title, SIZE, LETTER) <= HEIGHT - BELOW


@pytest.mark.parametrize("width", [180, 260, 300, 340, 420])
def test_an_axis_of_cosines_names_0(width: int) -> None:
    words = dict.fromkeys(("cosine", "place", "cosine_description"), "text")
    chart = cosine_chart(["a", "b"], ["#111111", "#222222"], np.array([-0.3, 0.4]), words)
    chart.spec["width"] = width
    labels = re.findall(r"<text([^>]*)>(−?\d\.\d+)<", chart.svg())
    assert "0.0" in [text for style, text in labels if 'opacity="0"' not in style]
