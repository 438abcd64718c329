"""Forecasting a price: daily log returns, a causal encoder trained on them, and the naive forecasts to beat.

N days of returns, L days in a window, B windows in a batch. A log return ln(p_t / p_{t−1}) has no
unit; 0.01 is a rise of about 1 %. The system is C2: its settings are `ORIGINAL`, ours are `QUICK`.
"""

import csv
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from model.refused import Refused
from model.transformer import Transformer

SAMPLE = Path(__file__).parent / "corpora" / "stock-daily.ibm.csv"
ADJUSTED = ("adjusted_close", "adj_close")  # ours, yfinance's
CLOSE = (*ADJUSTED, "close")  # the first one present is read
HELD_OUT_LEAST = 20  # days, below which no interval means anything


# ---- data ----


@dataclass(frozen=True)
class Prices:
    """One price for each trading day, oldest first: dates and prices (N + 1), and the column they came from."""

    dates: tuple[date, ...]
    prices: np.ndarray
    column: str


def load_prices(path: Path = SAMPLE) -> Prices:
    """Prices of a CSV file, UTF-8 with or without a byte order mark."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return read_prices(file)
        except UnicodeDecodeError:
            raise Refused("price_text") from None


def read_prices(lines: Iterable[str]) -> Prices:
    """Prices from the lines of a CSV with a header; the adjusted close if there is one, else the close.

    Names are read without regard to case and spaces, so yfinance's and baostock's tables fit; other
    columns are left alone. Raises `Refused` with the line number of the first bad row.
    """
    reader = csv.reader(lines)
    dates: list[date] = []
    prices: list[float] = []
    try:
        header = [name.strip("\ufeff ").lower().replace(" ", "_") for name in next(reader, [])]
        at, column = _columns(header)
        for row in reader:
            if any(cell.strip() for cell in row):
                dates.append(_date(row, at, reader.line_num, dates))
                prices.append(_price(row, header.index(column), reader.line_num))
    except csv.Error:
        raise Refused("price_file", number=reader.line_num) from None
    return Prices(tuple(dates), np.array(prices), column)


def _columns(header: list[str]) -> tuple[int, str]:
    """Where the date stands, and the name of the price to read."""
    column = next((name for name in CLOSE if name in header), None)
    if column is None or "date" not in header:
        raise Refused("price_columns", missing="date" if column else "close")
    return header.index("date"), column


def _date(row: list[str], at: int, number: int, before: list[date]) -> date:
    value = row[at].strip() if at < len(row) else ""
    try:
        day = date.fromisoformat(value[:10])  # a time of day may follow
    except ValueError:
        raise Refused("price_date", number=number, value=value) from None
    if before and day <= before[-1]:
        raise Refused("price_order", number=number, value=day)
    return day


def _price(row: list[str], at: int, number: int) -> float:
    value = row[at].strip() if at < len(row) else ""
    try:
        price = float(value)
    except ValueError:
        price = math.nan
    if not 0 < price < math.inf:
        raise Refused("price_value", number=number, value=value)
    return price


def log_returns(prices: np.ndarray) -> np.ndarray:
    """ln(p_t / p_{t−1}), (N) from prices (N + 1)."""
    return np.diff(np.log(prices))


@dataclass(frozen=True)
class Series:
    """Returns split in time. returns[i] goes from the price before dates[i] to the one on it.

    dates (N), prices (N + 1) with the first day's before all, returns (N); the first `split` of them
    are for learning. mean and deviation are of those alone, so nothing of the rest leaks into scaling.
    """

    dates: tuple[date, ...]
    prices: np.ndarray
    returns: np.ndarray
    split: int
    mean: float
    deviation: float

    @property
    def scaled(self) -> np.ndarray:
        """All returns with the scaler of the learning part applied: (r − mean) / deviation, (N)."""
        return (self.returns - self.mean) / self.deviation

    @property
    def held_out(self) -> np.ndarray:
        """Returns after the split, (N − split), never learned from."""
        return self.returns[self.split :]


def split_in_time(prices: Prices, window: int, share: float = 0.9) -> Series:
    """The first `share` of the returns to learn from, the later ones to be judged by (C2: 90 / 10).

    Raises `Refused` when either part is too short for windows of that many days, or never moves.
    """
    if not 0 < share < 1:
        raise Refused("forecast_setting", field="share", value=share, fix="a number between 0 and 1")
    returns = log_returns(prices.prices)
    split = int(share * len(returns))
    if split < window + 1 or len(returns) - split < HELD_OUT_LEAST:
        needed = math.ceil(max((window + 1) / share, HELD_OUT_LEAST / (1 - share))) + 2
        raise Refused("price_days", count=len(prices.dates), needed=needed)
    learned = returns[:split]
    if np.ptp(learned) == 0:
        raise Refused("price_constant")
    return Series(prices.dates[1:], prices.prices, returns, split, float(learned.mean()), float(learned.std()))


def windows(values: np.ndarray, length: int, stride: int = 1) -> np.ndarray:
    """Stretches of `length` days, one every `stride` days, the last one at the end: (windows, length)."""
    every = np.lib.stride_tricks.sliding_window_view(values, length)
    return every[(len(every) - 1) % stride :: stride]


# ---- training ----


@dataclass(frozen=True, kw_only=True)
class ForecastSettings:
    """How to train: MSE, AdamW, the learning rate times `decay` after each epoch, gradients clipped in norm.

    window is how many days the model reads, stride how far apart the windows learned from begin.
    """

    window: int
    stride: int
    batch: int = 100
    epochs: int
    learning_rate: float
    decay: float = 0.95
    clip: float = 0.7
    report_every: int = 10  # batches
    seed: int = 0

    def __post_init__(self) -> None:
        for field in ("window", "stride", "batch", "epochs", "report_every"):
            value = getattr(self, field)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise Refused("config_number", field=field, value=value, minimum=1)
        for field in ("learning_rate", "decay", "clip"):
            if not 0 < getattr(self, field) < math.inf:
                raise Refused("forecast_setting", field=field, value=getattr(self, field), fix="a number above 0")


ORIGINAL = ForecastSettings(window=10, stride=1, epochs=150, learning_rate=5e-5)
QUICK = ForecastSettings(window=20, stride=5, epochs=10, learning_rate=2e-4, batch=32)


@dataclass(frozen=True)
class ForecastReport:
    """What happened since the last report. Losses are MSE of scaled returns, without unit.

    Forecasting their mean, 0, has loss 1 on the days learned from. validation_loss is of the held-out
    days, one step ahead, and None but after an epoch's last batch.
    """

    epoch: int
    epochs: int
    batch: int
    batches: int
    learning_rate: float
    milliseconds_per_batch: float
    loss: float
    validation_loss: float | None


def train(model: Transformer, series: Series, settings: ForecastSettings = QUICK) -> Iterator[ForecastReport]:
    """Train the model itself, one report every few batches and one after each epoch.

    Every day of a window predicts the next, which the causal mask allows. Nothing is chosen by the
    held-out days: what is trained last is what is kept. The model is in eval mode at every report.
    `seed` fixes the order of the windows; dropout draws from torch's own generator.
    """
    check_model(model, settings.window)
    examples = torch.tensor(
        windows(series.scaled[: series.split], settings.window + 1, settings.stride).copy(), dtype=torch.float32
    )  # (windows, L + 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.learning_rate)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=settings.decay)
    order = torch.Generator().manual_seed(settings.seed)
    for epoch in range(1, settings.epochs + 1):
        batches = examples[torch.randperm(len(examples), generator=order)].split(settings.batch)
        losses: list[float] = []
        seconds = 0.0
        for number, batch in enumerate(batches, 1):
            started = time.monotonic()
            losses.append(_update(model, optimizer, batch, settings.clip))
            seconds += time.monotonic() - started
            if number % settings.report_every == 0 or number == len(batches):
                validation = validation_loss(model, series, settings.window) if number == len(batches) else None
                yield ForecastReport(
                    epoch, settings.epochs, number, len(batches), float(schedule.get_last_lr()[0]),
                    1000 * seconds / len(losses), sum(losses) / len(losses), validation,
                )  # fmt: skip
                losses, seconds = [], 0.0
        schedule.step()


def check_model(model: Transformer, window: int) -> None:
    """Raise `Refused` unless the model reads numbers causally, gives one value, and has room for the window."""
    needed = {"architecture": "encoder", "inputs": "numbers", "causal_encoder": True, "target_vocabulary": 1}
    for field, value in needed.items():
        found = getattr(model.config, field)
        if found != value:
            raise Refused("forecast_model", field=field, value=found, fix=value)
    if model.config.position != "none" and window > model.config.max_length:
        raise Refused("forecast_window", window=window, limit=model.config.max_length)


def _update(model: Transformer, optimizer: torch.optim.Optimizer, batch: Tensor, clip: float) -> float:
    model.train()
    loss = nn.functional.mse_loss(_next_days(model, batch[:, :-1]), batch[:, 1:])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    model.eval()
    return loss.item()


def _next_days(model: Transformer, days: Tensor) -> Tensor:
    """What follows each day, (B, L) from scaled returns (B, L)."""
    return model(days, None, torch.ones_like(days, dtype=torch.bool)).squeeze(-1)


def validation_loss(model: Transformer, series: Series, window: int) -> float:
    """MSE of scaled one-step forecasts of the held-out days."""
    return float(np.mean(np.square((one_step(model, series, window) - series.held_out) / series.deviation)))


# ---- forecasts ----


def one_step(model: Transformer, series: Series, window: int) -> np.ndarray:
    """The forecast return of each held-out day from the `window` true ones before it, (N − split).

    The first windows reach back before the split: on the day of the forecast that is known.
    """
    check_model(model, window)
    known = series.scaled[series.split - window : -1]  # each day but the last, which nothing follows
    days = torch.tensor(windows(known, window).copy(), dtype=torch.float32)  # (N − split, L)
    with torch.inference_mode():
        parts = [_next_days(model, part)[:, -1] for part in days.split(256)]
    return torch.cat(parts).double().numpy() * series.deviation + series.mean


def recursive(model: Transformer, series: Series, window: int, days: int, start: int | None = None) -> np.ndarray:
    """Forecast returns of `days` days from `start` on (the split by default), each fed back as if it were true.

    Nothing from `start` on is read, (days).
    """
    check_model(model, window)
    start = series.split if start is None else start
    if not window <= start <= len(series.returns):
        fix = f"a day from {window} to {len(series.returns)}"
        raise Refused("forecast_setting", field="start", value=start, fix=fix)
    known = series.scaled[start - window : start].tolist()
    with torch.inference_mode():
        for _ in range(days):
            read = torch.tensor([known[-window:]], dtype=torch.float32)  # (1, L)
            known.append(float(_next_days(model, read)[0, -1]))
    return np.array(known[window:]) * series.deviation + series.mean


def one_step_prices(series: Series, forecast: np.ndarray) -> np.ndarray:
    """Each held-out day's price by its forecast return, from the true price of the day before, (N − split)."""
    return series.prices[series.split : -1] * np.exp(forecast)


def recursive_prices(series: Series, forecast: np.ndarray, start: int | None = None) -> np.ndarray:
    """Prices by returns that follow each other, from the last price before `start`, (days)."""
    return series.prices[series.split if start is None else start] * np.exp(np.cumsum(forecast))


# ---- against naive forecasts ----

NAIVE: dict[str, Callable[[Series], np.ndarray]] = {
    "zero": lambda series: np.zeros(len(series.held_out)),  # the price stays
    "last value": lambda series: series.returns[series.split - 1 : -1],  # the return of the day before again
}


@dataclass(frozen=True)
class Errors:
    """Of forecast returns: mean square, its root, mean size, and the share of days whose sign was right.

    Days on which the forecast or the return is exactly 0 have no sign; direction is None if all are so.
    """

    mse: float
    rmse: float
    mae: float
    direction: float | None


@dataclass(frozen=True)
class Difference:
    """Mean of model error² − naive error², with the interval that holds it with probability `level`."""

    mean: float
    low: float
    high: float
    level: float

    @property
    def verdict(self) -> str:
        """`better`, `worse` or `undecided`: whether the model beats the naive forecast beyond chance."""
        return "better" if self.high < 0 else "worse" if self.low > 0 else "undecided"


@dataclass(frozen=True)
class Comparison:
    """The model's one-step errors on held-out days, each naive forecast's, and the differences to those."""

    model: Errors
    naive: dict[str, Errors]
    differences: dict[str, Difference]


def errors(forecast: np.ndarray, actual: np.ndarray) -> Errors:
    """Errors of forecast returns (days) against actual ones (days)."""
    off = forecast - actual
    signed = (forecast != 0) & (actual != 0)
    direction = float(np.mean(np.sign(forecast[signed]) == np.sign(actual[signed]))) if signed.any() else None
    mse = float(np.mean(np.square(off)))
    return Errors(mse, math.sqrt(mse), float(np.mean(np.abs(off))), direction)


def compare(series: Series, forecast: np.ndarray, level: float = 0.95, seed: int = 0) -> Comparison:
    """Hold one-step forecasts of the held-out days (N − split) against the naive ones."""
    actual = series.held_out
    naive = {name: make(series) for name, make in NAIVE.items()}
    square = np.square(forecast - actual)
    differences = {
        name: block_bootstrap(square - np.square(other - actual), level=level, seed=seed)
        for name, other in naive.items()
    }
    return Comparison(
        errors(forecast, actual), {name: errors(other, actual) for name, other in naive.items()}, differences
    )


def block_bootstrap(
    differences: np.ndarray, *, block: int | None = None, draws: int = 2000, level: float = 0.95, seed: int = 0
) -> Difference:
    """Percentile interval for the mean of a time series, (days), by the circular block bootstrap.

    Blocks of days (Politis and Romano, 1992), by default ⌈2 · days^(1/3)⌉ long, are drawn with replacement
    and laid end to end, so that neighbouring days keep their dependence.
    """
    days = len(differences)
    length = min(days, block or math.ceil(2 * days ** (1 / 3)))
    starts = np.random.default_rng(seed).integers(days, size=(draws, math.ceil(days / length)))
    drawn = (starts[..., None] + np.arange(length)).reshape(draws, -1)[:, :days] % days  # (draws, days)
    tail = (1 - level) / 2
    low, high = np.quantile(differences[drawn].mean(axis=1), [tail, 1 - tail])
    return Difference(float(differences.mean()), float(low), float(high), level)
