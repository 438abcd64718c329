"""The forecaster's training and forecasts against hand and torch."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.errors import InvalidInput
from model.forecast import forecasting, naive
from model.forecast.prices import (
    Prices,
    split_in_time,
    windows,
)
from tests.model.forecast.small import SETTINGS, days, forecaster, series

# ---- data ----


def test_windows_by_hand() -> None:
    assert windows(np.arange(5), 3).tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    assert windows(np.arange(6), 3, 2).tolist() == [[1, 2, 3], [3, 4, 5]]  # none is older than it need be
    assert windows(np.arange(3), 3, 9).tolist() == [[0, 1, 2]]


# ---- training ----


def test_training_lowers_the_loss_of_a_series_that_can_be_foreseen() -> None:
    """Up, down, up, down: the day before says all. The mean forecast has loss 1."""
    zigzag = np.exp(np.cumsum(0.01 * (-1.0) ** np.arange(300)))
    data = split_in_time(Prices(days(300), zigzag, "close"), 6)
    model = forecaster(dropout=0.0)
    reports = list(forecasting.train(model, data, replace(SETTINGS, epochs=4, stride=1, learning_rate=5e-3)))
    assert reports[0].loss > 0.5
    assert reports[-1].validation_loss < 0.02
    comparison = naive.compare(data, forecasting.one_step(model, data, 6))
    assert comparison.model.direction == 1
    assert {difference.verdict for difference in comparison.differences.values()} == {"better"}
    ahead = forecasting.recursive(model, data, 6, 8, [data.split])[0]
    assert (np.sign(ahead) == np.sign(data.held_out[:8])).all()


def test_reports_are_as_the_settings_say() -> None:
    model, data = forecaster(), series()
    reports = list(forecasting.train(model, data, replace(SETTINGS, epochs=3)))
    batches = math.ceil(len(windows(data.returns[: data.split], 7, 2)) / 16)
    assert batches == 9
    assert [(r.epoch, r.batch) for r in reports] == [(epoch, batch) for epoch in (1, 2, 3) for batch in (4, 8, 9)]
    assert {r.batches for r in reports} == {batches}
    assert [r.learning_rate for r in reports[::3]] == pytest.approx([1e-3, 0.95e-3, 0.9025e-3])
    assert [r.validation_loss is None for r in reports] == [True, True, False] * 3
    assert reports[-1].validation_loss == forecasting.validation_loss(model, data, 6)
    assert not model.training


def test_the_settings_of_the_source() -> None:
    original = forecasting.ORIGINAL
    assert (original.batch, original.learning_rate, original.decay) == (100, 5e-5, 0.95)
    assert (original.clip, original.epochs) == (0.7, 150)


@pytest.mark.parametrize("clip", [1e-6, 100.0])
def test_steps_are_adamw_on_clipped_gradients(clip: float) -> None:
    """Two epochs of one batch each, redone with torch alone; a clip small enough for Adam's ε to show, and none."""
    data = series()
    model, twin = forecaster(dropout=0.0), forecaster(dropout=0.0)
    settings = replace(SETTINGS, epochs=2, batch=1000, clip=clip)
    reports = list(forecasting.train(model, data, settings))
    examples = torch.tensor(windows(data.scaled[: data.split], 7, 2).copy(), dtype=torch.float32)
    order = torch.Generator().manual_seed(0)
    optimizer = torch.optim.AdamW(twin.parameters(), lr=1e-3)
    for report, rate in zip(reports, (1e-3, 0.95e-3), strict=True):
        batch = examples[torch.randperm(len(examples), generator=order)]
        output = twin(batch[:, :-1], None, torch.ones(len(batch), 6, dtype=torch.bool))[..., 0]
        loss = (output - batch[:, 1:]).square().mean()
        gradients = torch.autograd.grad(loss, list(twin.parameters()))
        norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
        assert 1e-2 < norm < 100
        for parameter, gradient in zip(twin.parameters(), gradients, strict=True):
            parameter.grad = gradient * min(1.0, clip / (norm + 1e-6))
        optimizer.param_groups[0]["lr"] = rate
        optimizer.step()
        assert report.loss == pytest.approx(loss.item())
    for ours, expected in zip(model.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(ours, expected, atol=1e-5, rtol=1e-4)


def test_dropout_acts_in_training_and_not_in_forecasts() -> None:
    data, losses = series(), set()
    for seed in range(3):
        model = forecaster(dropout=0.5)
        torch.manual_seed(seed)
        losses.add(next(forecasting.train(model, data, SETTINGS)).loss)
        np.testing.assert_array_equal(forecasting.one_step(model, data, 6), forecasting.one_step(model, data, 6))
    assert len(losses) == 3


def test_the_same_seed_trains_the_same_model_and_held_out_days_do_not_matter() -> None:
    data = series()
    noise = np.random.default_rng(9).normal(size=len(data.held_out))
    other = replace(data, returns=np.concatenate([data.returns[: data.split], noise]))
    trained = []
    for series_ in (data, data, other):
        model = forecaster()
        torch.manual_seed(1)
        losses = [report.loss for report in forecasting.train(model, series_, SETTINGS)]
        trained.append((losses, model.output.weight))
    for losses, weights in trained[1:]:
        assert losses == trained[0][0]
        assert torch.equal(weights, trained[0][1])


# ---- forecasts ----


def test_a_forecast_sees_neither_its_own_day_nor_later_ones() -> None:
    model, data = forecaster(), series()
    before = forecasting.one_step(model, data, 6)
    assert before.shape == data.held_out.shape
    for day in (0, 11):
        returns = data.returns.copy()
        returns[data.split + day :] += 1
        after = forecasting.one_step(model, replace(data, returns=returns), 6)
        np.testing.assert_allclose(after[: day + 1], before[: day + 1], atol=1e-7)
        assert abs(after[day + 1] - before[day + 1]) > 1e-6


def test_one_step_by_hand() -> None:
    """The forecast of held-out day 3 from the 6 days before it, scaled there and back."""
    model, data = forecaster(), series()
    day = data.split + 3
    read_ = torch.tensor((data.returns[day - 6 : day] - data.mean) / data.deviation, dtype=torch.float32)[None]
    with torch.inference_mode():
        expected = float(model(read_, None, torch.ones(1, 6, dtype=torch.bool))[0, -1, 0])
    assert forecasting.one_step(model, data, 6)[3] == pytest.approx(expected * data.deviation + data.mean, abs=1e-7)


def test_recursive_reads_only_what_was_known() -> None:
    model, data = forecaster(), series()
    [ahead] = forecasting.recursive(model, data, 6, 9, [data.split])
    assert ahead[0] == pytest.approx(forecasting.one_step(model, data, 6)[0], abs=1e-7)
    returns = data.returns.copy()
    returns[data.split :] = 5
    [again] = forecasting.recursive(model, replace(data, returns=returns), 6, 9, [data.split])
    np.testing.assert_array_equal(again, ahead)
    fed = data.returns.copy()
    fed[data.split : data.split + 9] = ahead  # its own forecasts, as if they had come true
    np.testing.assert_allclose(forecasting.one_step(model, replace(data, returns=fed), 6)[:9], ahead, atol=1e-6)
    several = forecasting.recursive(
        model, data, 6, 9, [200, data.split, len(data.returns)]
    )  # the last beyond the last day
    assert several.shape == (3, 9)
    np.testing.assert_allclose(several[1], ahead, atol=1e-7)
    for start in (5, len(data.returns) + 1):
        with pytest.raises(InvalidInput, match="a day from 6 to 299"):
            forecasting.recursive(model, data, 6, 4, [start])


def test_prices_come_back_from_returns() -> None:
    data = series()
    true = data.prices[data.split + 1 :]
    np.testing.assert_allclose(forecasting.one_step_prices(data, data.held_out), true)
    np.testing.assert_allclose(forecasting.recursive_prices(data, data.held_out, data.split), true)
    np.testing.assert_allclose(forecasting.one_step_prices(data, 0 * data.held_out), data.prices[data.split : -1])


# ---- against naive forecasts ----


def test_attention_is_that_of_the_pass_that_forecasts() -> None:
    model, data = forecaster(), series()
    weights = forecasting.attention(model, data, 6, 3)
    assert weights.shape == (2, 2, 6, 6)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
    assert (weights[..., np.triu(np.ones((6, 6), dtype=bool), 1)] == 0).all()
    recording = {}
    read_ = torch.tensor(data.scaled[None, data.split - 3 : data.split + 3], dtype=torch.float32)

    def watch(name: str, value: torch.Tensor) -> torch.Tensor:
        recording[name] = value
        return value

    with torch.inference_mode():
        output = model(read_, None, torch.ones_like(read_, dtype=torch.bool), watch)
    q, k = (recording[f"encoder.1.self_attention.{part}"][0] for part in "qk")  # (H, L, d_k)
    scores = (q @ k.transpose(-1, -2) / math.sqrt(8)).masked_fill(torch.ones(6, 6).triu(1).bool(), -math.inf)
    np.testing.assert_allclose(weights[1], scores.softmax(-1), atol=1e-6)
    expected = float(output[0, -1, 0]) * data.deviation + data.mean
    assert forecasting.one_step(model, data, 6)[3] == pytest.approx(expected, abs=1e-7)
