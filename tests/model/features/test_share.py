"""The interval of a share, against the values of Wilson's formula worked out by hand."""

import pytest

from model.features.scores import share


@pytest.mark.parametrize(
    ("hits", "count", "interval"),
    [(8, 10, [0.8, 0.4902, 0.9433]), (9, 9, [1.0, 0.7009, 1.0]), (0, 10, [0.0, 0.0, 0.2775])],
)
def test_the_interval_is_wilsons_and_has_a_width_where_all_are_hits(
    hits: int, count: int, interval: list[float]
) -> None:
    assert share([True] * hits + [False] * (count - hits)) == pytest.approx(interval, abs=1e-4)
