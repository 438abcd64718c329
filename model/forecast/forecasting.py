"""Forecasting daily log returns with a causal encoder: its training, and its forecasts one step and many ahead.

N days of returns, L days in a window, B windows in a batch. The system is C2: its settings are
`ORIGINAL`, ours are `QUICK`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from model.decode.recorded_pass import recorded
from model.errors import InvalidInput
from model.forecast.prices import WINDOW, Series, windows
from model.trace import path
from model.transformer import Transformer


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
                raise InvalidInput("config_number", field=field, value=value, minimum=1)
        for field in ("learning_rate", "decay", "clip"):
            if not 0 < getattr(self, field) < math.inf:
                raise InvalidInput("forecast_setting", field=field, value=getattr(self, field), fix="a number above 0")


ORIGINAL = ForecastSettings(window=10, stride=1, epochs=150, learning_rate=5e-5)
# in sum its learning rates go as far as those of ORIGINAL, in a fifteenth of the epochs, and they die away too
QUICK = ForecastSettings(window=WINDOW, stride=5, epochs=10, learning_rate=5e-4, decay=0.7, batch=32)


@dataclass(frozen=True)
class ForecastReport:
    """Progress since the last report. Losses are MSE of scaled returns, without unit.

    Forecasting their mean, 0, has loss 1 on the days learned from. validation_loss is of the held-out
    days, one step ahead, and None but after an epoch's last batch.
    """

    epoch: int
    epochs: int
    batch: int
    batches: int
    learning_rate: float
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
        for number, batch in enumerate(batches, 1):
            losses.append(_update(model, optimizer, batch, settings.clip))
            if number % settings.report_every == 0 or number == len(batches):
                validation = validation_loss(model, series, settings.window) if number == len(batches) else None
                yield ForecastReport(
                    epoch, settings.epochs, number, len(batches), float(schedule.get_last_lr()[0]),
                    sum(losses) / len(losses), validation,
                )  # fmt: skip
                losses = []
        schedule.step()


def batches(series: Series, settings: ForecastSettings) -> int:
    """Batches of an epoch."""
    examples = len(windows(series.returns[: series.split], settings.window + 1, settings.stride))
    return math.ceil(examples / settings.batch)


def check_model(model: Transformer, window: int) -> None:
    """Raise `InvalidInput` unless the model reads numbers causally, gives one value, and has room for the window."""
    fields = {"architecture": "encoder", "inputs": "numbers", "causal_encoder": True, "target_vocabulary": 1}
    for field, value in fields.items():
        actual = getattr(model.config, field)
        if actual != value:
            raise InvalidInput("forecast_model", field=field, value=actual, fix=value)
    if model.config.position != "none" and window > model.config.max_length:
        raise InvalidInput("forecast_window", window=window, limit=model.config.max_length)


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
    """Predict the return that follows each day, (B, L), from scaled returns (B, L)."""
    return model(days, None).squeeze(-1)


def validation_loss(model: Transformer, series: Series, window: int) -> float:
    """MSE of scaled one-step forecasts of the held-out days."""
    return float(np.mean(np.square((one_step(model, series, window) - series.held_out) / series.deviation)))


def one_step(model: Transformer, series: Series, window: int) -> np.ndarray:
    """The forecast return of each held-out day from the `window` true ones before it, (N − split).

    The first windows reach back before the split: on the day of the forecast that is known.
    """
    check_model(model, window)
    returns = series.scaled[series.split - window : -1]  # each day but the last, which nothing follows
    days = torch.tensor(windows(returns, window).copy(), dtype=torch.float32)  # (N − split, L)
    with torch.inference_mode():
        parts = [_next_days(model, part)[:, -1] for part in days.split(256)]
    return torch.cat(parts).double().numpy() * series.deviation + series.mean


def recursive(model: Transformer, series: Series, window: int, days: int, starts: Sequence[int]) -> np.ndarray:
    """Forecast returns of `days` days from each of `starts` on, each fed back as if it were true, (starts, days).

    Nothing from a start on is read for its row. A start is a place among the returns; the last is their end.
    """
    check_model(model, window)
    for start in starts:
        if not window <= start <= len(series.returns):
            fix = f"a day from {window} to {len(series.returns)}"
            raise InvalidInput("forecast_setting", field="start", value=start, fix=fix)
    days_so_far = np.stack(
        [series.scaled[start - window : start] for start in starts]
    )  # (S, L), then a day longer each time
    with torch.inference_mode():
        for _ in range(days):
            read = torch.tensor(days_so_far[:, -window:], dtype=torch.float32)  # (S, L)
            days_so_far = np.concatenate([days_so_far, _next_days(model, read)[:, -1:].double().numpy()], axis=1)
    return days_so_far[:, window:] * series.deviation + series.mean


def attention(model: Transformer, series: Series, window: int, day: int) -> np.ndarray:
    """Weights of the pass that forecasts the held-out `day`, (layers, H, L, L); its last query makes the forecast."""
    check_model(model, window)
    at = series.split + day
    values = recorded(model, series.scaled[at - window : at].tolist(), ())
    return np.stack([values[f"{path('encoder', i)}.weights"] for i in range(model.config.encoder_layers)])


def one_step_prices(series: Series, forecast: np.ndarray) -> np.ndarray:
    """Each held-out day's price by its forecast return, from the true price of the day before, (N − split)."""
    return series.prices[series.split : -1] * np.exp(forecast)


def recursive_prices(series: Series, forecast: np.ndarray, start: int) -> np.ndarray:
    """Prices by returns that follow each other, from the last price before `start`, (days)."""
    return series.prices[start] * np.exp(np.cumsum(forecast))
