"""The forecaster: what a table must hold, that nothing leaks from the future, and forecasts against naive ones."""

import io
import math
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoint import catalogue, snapshots
from model.checkpoint import load as checkpoints
from model.checkpoint.catalogue import Entry
from model.config import TransformerConfig
from model.errors import InvalidInput
from model.forecast import build as forecast_build
from model.forecast import job as forecast_job
from model.forecast import model as forecast
from model.forecast import naive, prices
from model.forecast.model import ForecastSettings
from model.forecast.prices import (
    HELD_OUT_LEAST,
    Prices,
    Series,
    load_prices,
    log_returns,
    read_prices,
    split_in_time,
    windows,
)
from model.jobs import types as job_types
from model.jobs import worker as job_worker
from model.jobs.pool import Jobs
from model.train.job import TrainingTask
from model.train.settings import Limits
from model.transformer import Transformer
from tests.fixtures import SAMPLES

CONFIG = TransformerConfig(
    architecture="encoder", inputs="numbers", causal_encoder=True, target_vocabulary=1, decoder_layers=0, d_model=16,
    heads=2, encoder_layers=2, d_ff=32, norm="post", scale_embedding=False, output_bias=True, dropout=0.1,
    max_length=64,
)  # fmt: skip
SETTINGS = ForecastSettings(window=6, stride=2, epochs=2, learning_rate=1e-3, batch=16, report_every=4)


def forecaster(seed: int = 0, **changes: object) -> Transformer:
    torch.manual_seed(seed)
    return Transformer(replace(CONFIG, **changes)).eval()


def days(count: int) -> tuple[date, ...]:
    return tuple(date(2020, 1, 1) + timedelta(days=i) for i in range(count))


def walk(count: int = 300, seed: int = 0, scale: float = 0.01) -> Prices:
    steps = np.random.default_rng(seed).normal(scale=scale, size=count - 1)
    return Prices(days(count), 100 * np.exp(np.concatenate([[0], np.cumsum(steps)])), "close")


def series(window: int = 6, **given) -> Series:
    return split_in_time(walk(**given), window)


def read(text: str) -> Prices:
    return read_prices(io.StringIO(text))


# ---- data ----


def test_the_sample_is_what_its_card_says() -> None:
    prices = load_prices()
    assert (len(prices.dates), prices.dates[0], prices.dates[-1]) == (3270, date(2000, 3, 1), date(2013, 3, 1))
    assert prices.column == "adjusted_close"
    assert prices.prices[0] == 73.667718762847
    assert log_returns(prices.prices)[0] == pytest.approx(0.0282263, abs=1e-6)  # ln 1.0286284


TABLES = {
    "ours": ("date,open,close,adjusted_close\n2020-01-02,1,9,4\n2020-01-03,1,9,5\n", "adjusted_close", [4, 5]),
    "yfinance": ("Date,Open,Close,Adj Close,Volume\n2020-01-02,1,9,4,7\n2020-01-03,1,9,5,7\n", "adj_close", [4, 5]),
    "a time of day": ("Date,Close\n2020-01-02 00:00:00-05:00,4\n2020-01-03 00:00:00-05:00,5\n", "close", [4, 5]),
    "baostock": ("date,code,open,close,preclose\n2020-01-02,sh.1,1,4,3\n2020-01-03,sh.1,1,5,3\n", "close", [4, 5]),
    "newer yfinance": (
        "Price,Close,High\nTicker,IBM,IBM\nDate,,\n2020-01-02,4,9\n2020-01-03,5,9\n",
        "close",
        [4, 5],
    ),
    "byte order mark, spaces, gaps": ("\ufeffDate , Close\n\n2020-01-02, 4 \n,\n2020-01-03,5\n", "close", [4, 5]),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_several_makers(name: str) -> None:
    text, column, expected = TABLES[name]
    prices = read(text)
    assert prices.column == column
    assert prices.prices.tolist() == expected
    assert prices.dates == (date(2020, 1, 2), date(2020, 1, 3))


HEAD = "date,close\n2020-01-02,4\n"
BAD = {
    "no price": (HEAD + "2020-01-03,\n", "price_value", 3),
    "short row": (HEAD + "2020-01-03\n", "price_value", 3),
    "word": (HEAD + "2020-01-03,n/a\n", "price_value", 3),
    "zero": (HEAD + "2020-01-03,0\n", "price_value", 3),
    "negative": (HEAD + "\n\n2020-01-03,-4\n", "price_value", 5),
    "nan": (HEAD + "2020-01-03,nan\n", "price_value", 3),
    "infinite": (HEAD + "2020-01-03,1e999\n", "price_value", 3),
    "no such day": (HEAD + "2020-02-30,4\n", "price_date", 3),
    "other format": (HEAD + "03/01/2020,4\n", "price_date", 3),
    "same day": (HEAD + "2020-01-02,4\n", "price_twice", 3),
    "newest first": ("date,close\n2020-01-03,4\n2020-01-02,4\n", "price_order", 3),
    "days missing": (HEAD + "2020-01-16,4\n2020-01-31,4\n", "price_gap", 4),
    "split": (HEAD + "2020-01-03,4.1\n2020-01-06,2.05\n", "price_jump", 4),
    "split 3 for 2": (HEAD + "2020-01-03,2.7\n", "price_jump", 3),
    "joined shares": (HEAD + "2020-01-03,40\n", "price_jump", 3),
    "thousands": (HEAD + '2020-01-03,"4,100.5"\n', "price_value", 3),
    "back in time": (HEAD + "2020-01-03,4\n2020-01-01,4\n", "price_order", 4),
    "a cell without end": (HEAD + '2020-01-03,"' + "4" * 140_000, "price_file", 3),
    "neither ticker nor date": ("Price,Close\n2020-01-02,4\n", "price_columns", None),
    "no date": ("day,close\n2020-01-02,4\n", "price_columns", None),
    "no close": ("date,open\n2020-01-02,4\n", "price_columns", None),
    "nothing": ("", "price_columns", None),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_by_its_line(name: str) -> None:
    text, code, number = BAD[name]
    with pytest.raises(InvalidInput) as refusal:
        read(text)
    assert refusal.value.code == code
    assert refusal.value.values.get("number") == number
    assert number is None or str(refusal.value).startswith(f"Line {number}: ")


def test_a_table_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_bytes("date,close,名\n".encode("gbk"))
    with pytest.raises(InvalidInput, match="not UTF-8"):
        load_prices(tmp_path / "prices.csv")


def test_a_users_file_is_bounded_and_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"{day},{4 + i % 2}" for i, day in enumerate(days(7))]
    data = ("\ufeffDate,Close\r\n" + "\r\n".join(rows) + "\r\n").encode()
    found = prices.prices_of(data)
    assert (found.dates, found.prices.tolist()) == (days(7), [4, 5, 4, 5, 4, 5, 4])
    again = read_prices(prices.as_csv(found).splitlines())
    assert (again.dates, again.prices.tolist(), again.column) == (found.dates, found.prices.tolist(), "close")
    for text in (data.decode().encode("utf-16"), "date,close,名\n".encode("gbk")):
        with pytest.raises(InvalidInput, match="not UTF-8"):
            prices.prices_of(text)
    with pytest.raises(InvalidInput, match="larger than 2 MB"):
        prices.prices_of(b"x" * (prices.MOST_BYTES + 1))
    monkeypatch.setattr(prices, "MOST_DAYS", 6)
    with pytest.raises(InvalidInput, match=r"^Line 8: the table has more than 6 days"):
        prices.prices_of(data)


def test_holidays_are_no_gap_and_a_bad_day_is_no_split() -> None:
    assert len(read("date,close\n2020-01-23,4\n2020-02-03,2.8\n2020-02-17,4\n").prices) == 3
    assert read("date,close\n2020-01-01,4\n2020-01-15,4\n").dates[1] == date(2020, 1, 15)


def test_log_returns_by_hand() -> None:
    np.testing.assert_allclose(log_returns(np.array([100.0, 110.0, 99.0])), [0.0953102, -0.1053605], atol=1e-7)


def test_the_split_is_in_time_and_the_scaler_sees_the_first_part_alone() -> None:
    prices = walk(301)
    found = split_in_time(prices, 6)
    assert (len(found.returns), found.split, len(found.held_out)) == (300, 270, 30)
    assert found.dates[found.split] == prices.dates[271]
    assert (found.mean, found.deviation) == (found.returns[:270].mean(), found.returns[:270].std())
    learned = found.scaled[:270]
    assert (learned.mean(), learned.std()) == (pytest.approx(0, abs=1e-12), pytest.approx(1))
    wild = replace(prices, prices=np.concatenate([prices.prices[:271], prices.prices[271:] * np.arange(1, 31)]))
    later = split_in_time(wild, 6)
    assert (later.mean, later.deviation) == (found.mean, found.deviation)
    assert later.scaled[270:].std() > 2 * found.scaled[270:].std()


def test_what_is_too_short_or_never_moves_is_refused() -> None:
    with pytest.raises(InvalidInput, match="has 100 days, at least") as refusal:
        split_in_time(walk(100), 6)
    enough = refusal.value.values["needed"]
    assert len(split_in_time(walk(enough), 6).held_out) == HELD_OUT_LEAST
    with pytest.raises(InvalidInput, match=f"has {enough - 1} days, at least {enough}"):
        split_in_time(walk(enough - 1), 6)
    with pytest.raises(InvalidInput, match="choose a longer one or a shorter window"):
        split_in_time(walk(300), 290)
    still = walk(300)
    with pytest.raises(InvalidInput, match="never changes"):
        split_in_time(replace(still, prices=np.full(300, 7.0)), 6)
    with pytest.raises(InvalidInput, match="share is 1"):
        split_in_time(still, 6, share=1)


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
    reports = list(forecast.train(model, data, replace(SETTINGS, epochs=4, stride=1, learning_rate=5e-3)))
    assert reports[0].loss > 0.5
    assert reports[-1].validation_loss < 0.02
    comparison = naive.compare(data, forecast.one_step(model, data, 6))
    assert comparison.model.direction == 1
    assert {difference.verdict for difference in comparison.differences.values()} == {"better"}
    ahead = forecast.recursive(model, data, 6, 8, [data.split])[0]
    assert (np.sign(ahead) == np.sign(data.held_out[:8])).all()


def test_reports_are_as_the_settings_say() -> None:
    model, data = forecaster(), series()
    reports = list(forecast.train(model, data, replace(SETTINGS, epochs=3)))
    batches = math.ceil(len(windows(data.returns[: data.split], 7, 2)) / 16)
    assert batches == 9
    assert [(r.epoch, r.batch) for r in reports] == [(epoch, batch) for epoch in (1, 2, 3) for batch in (4, 8, 9)]
    assert {r.batches for r in reports} == {batches}
    assert [r.learning_rate for r in reports[::3]] == pytest.approx([1e-3, 0.95e-3, 0.9025e-3])
    assert [r.validation_loss is None for r in reports] == [True, True, False] * 3
    assert reports[-1].validation_loss == forecast.validation_loss(model, data, 6)
    assert all(r.milliseconds_per_batch > 0 for r in reports)
    assert not model.training


def test_the_settings_of_the_source() -> None:
    original = forecast.ORIGINAL
    assert (original.batch, original.learning_rate, original.decay) == (100, 5e-5, 0.95)
    assert (original.clip, original.epochs) == (0.7, 150)


@pytest.mark.parametrize("clip", [1e-6, 100.0])
def test_steps_are_adamw_on_clipped_gradients(clip: float) -> None:
    """Two epochs of one batch each, redone with torch alone; a clip small enough for Adam's ε to show, and none."""
    data = series()
    model, twin = forecaster(dropout=0.0), forecaster(dropout=0.0)
    settings = replace(SETTINGS, epochs=2, batch=1000, clip=clip)
    reports = list(forecast.train(model, data, settings))
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
        losses.add(next(forecast.train(model, data, SETTINGS)).loss)
        np.testing.assert_array_equal(forecast.one_step(model, data, 6), forecast.one_step(model, data, 6))
    assert len(losses) == 3


def test_the_same_seed_trains_the_same_model_and_held_out_days_do_not_matter() -> None:
    data = series()
    noise = np.random.default_rng(9).normal(size=len(data.held_out))
    other = replace(data, returns=np.concatenate([data.returns[: data.split], noise]))
    trained = []
    for given in (data, data, other):
        model = forecaster()
        torch.manual_seed(1)
        losses = [report.loss for report in forecast.train(model, given, SETTINGS)]
        trained.append((losses, model.output.weight))
    for losses, weights in trained[1:]:
        assert losses == trained[0][0]
        assert torch.equal(weights, trained[0][1])


# ---- forecasts ----


def test_a_forecast_sees_neither_its_own_day_nor_later_ones() -> None:
    model, data = forecaster(), series()
    before = forecast.one_step(model, data, 6)
    assert before.shape == data.held_out.shape
    for day in (0, 11):
        changed = data.returns.copy()
        changed[data.split + day :] += 1
        after = forecast.one_step(model, replace(data, returns=changed), 6)
        np.testing.assert_allclose(after[: day + 1], before[: day + 1], atol=1e-7)
        assert abs(after[day + 1] - before[day + 1]) > 1e-6


def test_one_step_by_hand() -> None:
    """The forecast of held-out day 3 from the 6 days before it, scaled there and back."""
    model, data = forecaster(), series()
    day = data.split + 3
    read_ = torch.tensor((data.returns[day - 6 : day] - data.mean) / data.deviation, dtype=torch.float32)[None]
    with torch.inference_mode():
        expected = float(model(read_, None, torch.ones(1, 6, dtype=torch.bool))[0, -1, 0])
    assert forecast.one_step(model, data, 6)[3] == pytest.approx(expected * data.deviation + data.mean, abs=1e-7)


def test_recursive_reads_only_what_was_known() -> None:
    model, data = forecaster(), series()
    [ahead] = forecast.recursive(model, data, 6, 9, [data.split])
    assert ahead[0] == pytest.approx(forecast.one_step(model, data, 6)[0], abs=1e-7)
    changed = data.returns.copy()
    changed[data.split :] = 5
    [again] = forecast.recursive(model, replace(data, returns=changed), 6, 9, [data.split])
    np.testing.assert_array_equal(again, ahead)
    fed = data.returns.copy()
    fed[data.split : data.split + 9] = ahead  # its own forecasts, as if they had come true
    np.testing.assert_allclose(forecast.one_step(model, replace(data, returns=fed), 6)[:9], ahead, atol=1e-6)
    several = forecast.recursive(
        model, data, 6, 9, [200, data.split, len(data.returns)]
    )  # the last beyond the last day
    assert several.shape == (3, 9)
    np.testing.assert_allclose(several[1], ahead, atol=1e-7)
    for start in (5, len(data.returns) + 1):
        with pytest.raises(InvalidInput, match="a day from 6 to 299"):
            forecast.recursive(model, data, 6, 4, [start])


def test_prices_come_back_from_returns() -> None:
    data = series()
    true = data.prices[data.split + 1 :]
    np.testing.assert_allclose(forecast.one_step_prices(data, data.held_out), true)
    np.testing.assert_allclose(forecast.recursive_prices(data, data.held_out, data.split), true)
    np.testing.assert_allclose(forecast.one_step_prices(data, 0 * data.held_out), data.prices[data.split : -1])


# ---- against naive forecasts ----


def by_hand() -> Series:
    returns = np.array([0.01, 0.02, -0.03, 0.01])
    prices = np.exp(np.concatenate([[0], np.cumsum(returns)]))
    return Series(days(4), prices, returns, 2, 0.015, 0.005)


def test_naive_forecasts_and_errors_by_hand() -> None:
    data = by_hand()
    assert naive.NAIVE["zero"](data).tolist() == [0, 0]
    assert naive.NAIVE["last value"](data).tolist() == [0.02, -0.03]
    found = naive.compare(data, np.array([-0.01, -0.01]))
    assert found.model.mse == pytest.approx((0.02**2 + 0.02**2) / 2)
    assert found.model.rmse == pytest.approx(0.02)
    assert found.model.mae == pytest.approx(0.02)
    assert found.model.direction == 0.5
    assert found.naive["zero"].mse == pytest.approx((0.03**2 + 0.01**2) / 2)
    assert found.naive["zero"].direction is None
    assert found.naive["last value"].mse == pytest.approx((0.05**2 + 0.04**2) / 2)
    assert found.naive["last value"].direction == 0
    assert found.differences["zero"].mean == pytest.approx(0.0004 - 0.0005)


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
        found = naive.block_bootstrap(values, block=block)
        assert found.mean == values.mean()
        assert (found.high - found.low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.25)
        assert found.low < found.mean < found.high
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
        found = naive.block_bootstrap(np.random.default_rng(seed).normal(size=300), draws=300, seed=seed)
        hits += found.low < 0 < found.high
    assert 175 <= hits <= 199  # 190 expected


def test_growth_by_hand() -> None:
    """Two starts, two days ahead: errors of the sums, and the square root of the days."""
    returns = np.array([0.0, 0.0, 0.01, 0.02, -0.03, 0.01])
    data = Series(days(6), np.exp(np.concatenate([[0], np.cumsum(returns)])), returns, 2, 0.0, 0.1)
    found = naive.growth(data, np.array([[0.01, 0.0], [0.0, -0.01]]), [2, 4])
    first, second = 0.0, 0.01 - 0.03
    third, fourth = 0.0 + 0.03, -0.01 + 0.02
    assert found.model.tolist() == pytest.approx(
        [math.sqrt((first**2 + third**2) / 2), math.sqrt((second**2 + fourth**2) / 2)]
    )
    assert found.stays.tolist() == pytest.approx(
        [math.sqrt((0.01**2 + 0.03**2) / 2), math.sqrt((0.03**2 + 0.02**2) / 2)]
    )
    assert found.walk.tolist() == pytest.approx([0.1, 0.1 * math.sqrt(2)])
    assert found.starts == 2


def test_the_error_of_a_random_walk_grows_with_the_root_of_the_days() -> None:
    """What "the price stays" costs when days are independent, over many starts."""
    data = series(count=20_001)
    starts = list(range(data.split, len(data.returns) - 16))
    found = naive.growth(data, np.zeros((len(starts), 16)), starts)
    np.testing.assert_allclose(found.stays, found.walk, rtol=0.15)
    np.testing.assert_array_equal(found.model, found.stays)


def test_attention_is_that_of_the_pass_that_forecasts() -> None:
    model, data = forecaster(), series()
    weights = forecast.attention(model, data, 6, 3)
    assert weights.shape == (2, 2, 6, 6)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
    assert (weights[..., np.triu(np.ones((6, 6), dtype=bool), 1)] == 0).all()
    seen = {}
    read_ = torch.tensor(data.scaled[None, data.split - 3 : data.split + 3], dtype=torch.float32)

    def watch(name: str, value: torch.Tensor) -> torch.Tensor:
        seen[name] = value
        return value

    with torch.inference_mode():
        output = model(read_, None, torch.ones_like(read_, dtype=torch.bool), watch)
    q, k = (seen[f"encoder.1.self_attention.{part}"][0] for part in "qk")  # (H, L, d_k)
    scores = (q @ k.transpose(-1, -2) / math.sqrt(8)).masked_fill(torch.ones(6, 6).triu(1).bool(), -math.inf)
    np.testing.assert_allclose(weights[1], scores.softmax(-1), atol=1e-6)
    expected = float(output[0, -1, 0]) * data.deviation + data.mean
    assert forecast.one_step(model, data, 6)[3] == pytest.approx(expected, abs=1e-7)


# ---- a checkpoint, and a run of the queue ----


def test_quick_goes_as_far_as_the_source() -> None:
    """Learning rates over a whole training: their sum, and the last beside the first, on the shipped days."""
    data = split_in_time(load_prices(), 20)
    ways = {}
    for name, settings in (("original", forecast.ORIGINAL), ("quick", forecast.QUICK)):
        rates = settings.learning_rate * settings.decay ** np.arange(settings.epochs)
        ways[name] = rates.sum() * forecast.batches(data, settings), rates[-1] / rates[0]
    assert ways["quick"][0] == pytest.approx(ways["original"][0], rel=0.1)
    assert max(last for _, last in ways.values()) < 0.05


def test_the_shipped_checkpoint_is_what_its_card_says() -> None:
    entry = Entry(SAMPLES / "forecast")
    assert entry.is_sound()
    assert not entry.reads_text
    assert "forecast" in catalogue.entries()
    assert "forecast" not in catalogue.sentence_models()
    assert {path.suffix for path in entry.folder.iterdir()} == {".json", ".md", ".safetensors"}
    model = checkpoints.load_model(entry)
    assert (model.config.d_model, model.config.heads, model.config.encoder_layers) == (200, 10, 2)
    data = split_in_time(load_prices(), entry.card["training"]["window"])
    foretold = forecast.one_step(model, data, 20)
    [score] = entry.card["scores"].values()
    assert score["days"] == len(data.held_out) == 327
    assert score["rmse"] == pytest.approx(math.sqrt(np.mean((foretold - data.held_out) ** 2)), abs=1e-6)
    assert score["rmse_zero"] == pytest.approx(math.sqrt(np.mean(data.held_out**2)), abs=1e-6)
    before = data.returns[data.split - 1 : -1]
    assert score["rmse_last_value"] == pytest.approx(math.sqrt(np.mean((before - data.held_out) ** 2)), abs=1e-6)


def test_a_checkpoint_is_built_and_the_same_seed_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "QUICK", replace(forecast.QUICK, epochs=1, stride=200))
    reports: list = []
    first, second = (forecast_build.build(tmp_path / name, reports.append) for name in "ab")
    assert first.card["training"] | {"minutes": 0} == {"steps": 1, "seed": 0, "minutes": 0, "threads": 1, "window": 20}
    assert first.card["scores"] == second.card["scores"]
    file = "model.safetensors"
    assert (first.folder / file).read_bytes() == (second.folder / file).read_bytes()
    assert len(reports) == 2


def test_a_run_of_the_queue_trains_as_the_command_does() -> None:
    """One epoch on a table of the user's, by the queue's run and by hand."""
    task = forecast_job.ForecastTask(epochs=1, seed=4, prices=walk(260))
    forecast_job.check(task)
    reports = list(forecast_job.ForecastRun(task, Limits()).reports())
    assert [report.step for report in reports][-1] == task.steps == reports[-1].steps
    assert [report.moment is None for report in reports] == [True] * (len(reports) - 1) + [False]
    data = split_in_time(walk(260), 20)
    expected, _ = forecast_build.train(data, task.settings, lambda report: None)
    found = forecast_job.model_of(reports[-1].moment)  # in half precision
    np.testing.assert_allclose(
        forecast.one_step(found, data, 20), forecast.one_step(expected, data, 20), atol=1e-2 * data.deviation
    )


def test_a_worker_trains_it_and_saves_the_weights(tmp_path: Path) -> None:
    told: list = []

    class Connection:
        send, poll = staticmethod(told.append), staticmethod(lambda: False)

    task = forecast_job.ForecastTask(epochs=1, prices=walk(201))
    assert job_worker._train(Connection(), task, tmp_path, Limits()) is None  # type: ignore[arg-type]
    assert {kind for kind, *_ in told} == {"report"}
    assert told[-1][2] == told[-1][1].step == task.steps
    kept = snapshots.load(tmp_path / job_types.moment_file(task.steps))
    foretold = forecast.one_step(forecast_job.model_of(kept), task.series, 20)
    assert np.isfinite(foretold).all()
    late = forecast_job.ForecastRun(task, Limits(seconds=0))
    assert len(list(late.reports())) == 1
    assert late.ended is not None
    assert late.ended.code == "run_time"


def test_its_run_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is over in a minute: neither the worker nor the queue keeps what another server could go on from."""

    class Gone:
        def send(self, message: tuple) -> None:
            raise BrokenPipeError

    task = forecast_job.ForecastTask(epochs=2, prices=walk(201))
    with pytest.raises(BrokenPipeError):
        job_worker._train(Gone(), task, tmp_path, Limits())  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())  # nor a state
    monkeypatch.setattr(Jobs, "warm", lambda self: None)
    jobs = Jobs(TrainingTask, 1, folder=tmp_path)
    id_ = jobs.submit(task, "a")
    assert jobs.progress(id_).state == "queued"
    assert not list(tmp_path.glob("*/run.json"))
    assert Jobs(TrainingTask, 1, folder=tmp_path).list("a") == []


@pytest.mark.parametrize("changes", [{"epochs": 0}, {"epochs": 21}, {"learning_rate": 0.1}, {"seed": -1}])
def test_a_run_that_asks_for_too_much_is_refused(changes: dict) -> None:
    with pytest.raises(InvalidInput, match=next(iter(changes))):
        forecast_job.check(forecast_job.ForecastTask(**changes))
    with pytest.raises(InvalidInput, match="at least"):
        forecast_job.check(forecast_job.ForecastTask(prices=walk(100)))


# ---- refusals ----


@pytest.mark.parametrize(
    "changes", [{"causal_encoder": False}, {"target_vocabulary": 2}, {"inputs": "tokens", "source_vocabulary": 5}]
)
def test_another_model_is_refused(changes: dict) -> None:
    model = forecaster(**changes)
    for run in (lambda: next(forecast.train(model, series(), SETTINGS)), lambda: forecast.one_step(model, series(), 6)):
        with pytest.raises(InvalidInput) as refusal:
            run()
        assert refusal.value.code == "forecast_model"
        assert refusal.value.values["field"] in changes


def test_settings_that_cannot_be_are_refused() -> None:
    for changes in ({"window": 0}, {"epochs": 1.5}, {"learning_rate": 0}, {"clip": math.nan}, {"decay": -1}):
        with pytest.raises(InvalidInput, match=next(iter(changes))):
            replace(SETTINGS, **changes)
    with pytest.raises(InvalidInput, match="A window of 65 days does not fit the model's 64 positions"):
        next(forecast.train(forecaster(), series(65), replace(SETTINGS, window=65)))
