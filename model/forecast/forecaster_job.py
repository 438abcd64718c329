"""The forecaster's training as a run of the queue, on prices that are the user's or the shipped ones."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch

from model import presets
from model.checkpoint import checkpoints
from model.checkpoint.snapshots import Snapshot, of_weights
from model.errors import InvalidInput
from model.forecast import build_forecaster, forecasting
from model.forecast.forecasting import QUICK, ForecastSettings
from model.forecast.prices import MOST_DAYS, Prices, Series, load_prices, split_in_time
from model.train.job import ShortTask
from model.train.limits import Limits
from model.train.report import RunReport
from model.transformer import Transformer

EPOCHS = 20  # at most; ten take half a minute of one core on the shipped prices


@dataclass(frozen=True, eq=False)
class ForecastTask(ShortTask):
    """One run. `prices` are the shipped ones where none are given."""

    epochs: int = QUICK.epochs
    learning_rate: float = QUICK.learning_rate
    seed: int = 0
    prices: Prices | None = None

    @property
    def settings(self) -> ForecastSettings:
        """QUICK with what the task changes."""
        return replace(QUICK, epochs=self.epochs, learning_rate=self.learning_rate, seed=self.seed)

    @property
    def steps(self) -> int:
        """All batches."""
        return self.epochs * forecasting.batches(self.series, self.settings)

    @property
    def series(self) -> Series:
        """Prices of a run, split in time: it learns from the earlier days and is judged by the later ones."""
        return split_in_time(self.prices or load_prices(), QUICK.window)

    def check(self, limits: Limits) -> float:
        """About how many seconds it takes on one core; raises `InvalidInput` for what cannot run."""
        check(self)
        return 3.0 * self.epochs

    def start(self, limits: Limits, state: dict | None = None) -> "ForecastRun":
        """The run; it is never left, so it always starts at its beginning."""
        return ForecastRun(self, limits)


def check(task: ForecastTask) -> None:
    """Refuse what cannot run, or asks for too much, in a sentence that names it."""
    ranges = {"epochs": (1, EPOCHS), "learning_rate": (1e-6, 0.01), "seed": (0, 2**31 - 1)}
    for field, (least, most) in ranges.items():
        if not least <= (value := getattr(task, field)) <= most:
            raise InvalidInput("run_range", field=field, value=value, least=least, most=most)
    if task.prices is not None and len(task.prices.dates) > MOST_DAYS:
        raise InvalidInput("price_rows", number=MOST_DAYS + 2, limit=f"{MOST_DAYS:,}")
    split_in_time(task.prices or load_prices(), QUICK.window)


class ForecastRun:
    """A run for a worker, as `model.train.training_run.Run` is. Its last report has the moment with the weights."""

    def __init__(self, task: ForecastTask, limits: Limits):
        check(task)
        self.task = task
        self.limits = limits
        self.stopped = False
        self.ended: InvalidInput | None = None

    def stop(self) -> None:
        """End after the report that is under way, with nothing to keep."""
        self.stopped = True

    def state(self) -> dict[str, object]:
        """It cannot be left and gone on with: it is over in a minute."""
        raise InvalidInput("job_state", state="running")

    def reports(self) -> Iterator[RunReport]:
        """Train; losses are mean squares of scaled returns."""
        series, settings, steps = self.task.series, self.task.settings, self.task.steps
        model, began = build_forecaster.start(settings), time.monotonic()
        for report in forecasting.train(model, series, settings):
            step = (report.epoch - 1) * report.batches + report.batch
            seconds = time.monotonic() - began
            weights = dict(model.named_parameters())
            moment = of_weights(step, weights, model.config.d_model) if step == steps else None
            yield RunReport(
                step, steps, report.loss, report.learning_rate, 0.0, step / max(seconds, 1e-6), seconds,
                seconds / step * (steps - step), 0.0, moment=moment,
            )  # fmt: skip
            if seconds > self.limits.seconds:
                self.ended = self.limits.out_of_time(step)
            if self.stopped or self.ended:
                return


def model_of(moment: Snapshot) -> Transformer:
    """The model that a run has trained."""
    model = checkpoints.random_model(presets.find(build_forecaster.PRESET).config, 0)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(moment.weights[name]))
    return model
