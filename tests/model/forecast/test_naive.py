"""Naive forecasts, errors and intervals against hand and chance."""

import math

import numpy as np
import pytest

from model.forecast import naive
from model.forecast.prices import (
    Series,
)
from tests.model.forecast.small import days, series


def by_hand() -> Series:
    returns = np.array([0.01, 0.02, -0.03, 0.01])
    prices = np.exp(np.concatenate([[0], np.cumsum(returns)]))
    return Series(days(4), prices, returns, 2, 0.015, 0.005)


def test_naive_forecasts_and_errors_by_hand() -> None:
    data = by_hand()
    assert naive.NAIVE["zero"](data).tolist() == [0, 0]
    assert naive.NAIVE["last value"](data).tolist() == [0.02, -0.03]
    result = naive.compare(data, np.array([-0.01, -0.01]))
    assert result.model.mse == pytest.approx((0.02**2 + 0.02**2) / 2)
    assert result.model.rmse == pytest.approx(0.02)
    assert result.model.mae == pytest.approx(0.02)
    assert result.model.direction == 0.5
    assert result.naive["zero"].mse == pytest.approx((0.03**2 + 0.01**2) / 2)
    assert result.naive["zero"].direction is None
    assert result.naive["last value"].mse == pytest.approx((0.05**2 + 0.04**2) / 2)
    assert result.naive["last value"].direction == 0
    assert result.differences["zero"].mean == pytest.approx(0.0004 - 0.0005)


def test_knowing_the_future_beats_chance_and_a_wild_guess_does_not() -> None:
    data = series(count=600)
    verdicts = [
        naive.compare(data, forecast_).differences["zero"].verdict
        for forecast_ in (data.held_out, 0 * data.held_out + 1e-9, 10 * data.held_out)
    ]
    assert verdicts == ["better", "undecided", "worse"]


def test_the_interval_is_that_of_independent_days_when_they_are_so() -> None:
    """Mean ± 1.96 standard errors for blocks of one day; about as wide for the default blocks."""
    values = np.random.default_rng(0).normal(0.3, 1.0, 400)
    error = values.std() / 20
    for block in (1, None):
        result = naive.block_bootstrap(values, block=block)
        assert result.mean == values.mean()
        assert (result.high - result.low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.25)
        assert result.low < result.mean < result.high
    assert naive.block_bootstrap(values, level=0.5).high < naive.block_bootstrap(values).high


def test_blocks_keep_the_dependence_that_single_days_lose() -> None:
    rng = np.random.default_rng(1)
    values = np.zeros(400)
    for i in range(1, 400):
        values[i] = 0.8 * values[i - 1] + rng.normal()
    single, blocks = naive.block_bootstrap(values, block=1), naive.block_bootstrap(values, block=30)
    assert blocks.high - blocks.low > 1.8 * (single.high - single.low)  # in theory, without end, 3 times


def test_the_interval_covers_as_often_as_it_says() -> None:
    hits = 0
    for seed in range(200):
        result = naive.block_bootstrap(np.random.default_rng(seed).normal(size=300), draws=300, seed=seed)
        hits += result.low < 0 < result.high
    assert 175 <= hits <= 199  # 190 expected


def test_growth_by_hand() -> None:
    """Two starts, two days ahead: errors of the sums, and the square root of the days."""
    returns = np.array([0.0, 0.0, 0.01, 0.02, -0.03, 0.01])
    data = Series(days(6), np.exp(np.concatenate([[0], np.cumsum(returns)])), returns, 2, 0.0, 0.1)
    result = naive.growth(data, np.array([[0.01, 0.0], [0.0, -0.01]]), [2, 4])
    first, second = 0.0, 0.01 - 0.03
    third, fourth = 0.0 + 0.03, -0.01 + 0.02
    assert result.model.tolist() == pytest.approx(
        [math.sqrt((first**2 + third**2) / 2), math.sqrt((second**2 + fourth**2) / 2)]
    )
    assert result.stays.tolist() == pytest.approx(
        [math.sqrt((0.01**2 + 0.03**2) / 2), math.sqrt((0.03**2 + 0.02**2) / 2)]
    )
    assert result.walk.tolist() == pytest.approx([0.1, 0.1 * math.sqrt(2)])
    assert result.starts == 2


def test_the_error_of_a_random_walk_grows_with_the_root_of_the_days() -> None:
    """Compare the error of "the price stays" with the theory for independent days, over many starts."""
    data = series(count=20_001)
    starts = list(range(data.split, len(data.returns) - 16))
    result = naive.growth(data, np.zeros((len(starts), 16)), starts)
    np.testing.assert_allclose(result.stays, result.walk, rtol=0.15)
    np.testing.assert_array_equal(result.model, result.stays)
