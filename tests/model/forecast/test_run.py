"""The forecaster's settings, its checkpoint and its run in the queue."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.checkpoint import catalogue, checkpoints, snapshots
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.forecast import build_forecaster, forecaster_job, forecasting
from model.forecast.prices import (
    load_prices,
    split_in_time,
)
from model.jobs import types, worker
from model.jobs.pool import Jobs
from model.train.job import TrainingTask
from model.train.limits import Limits
from tests.model.forecast.small import SETTINGS, forecaster, series, walk
from tests.samples import SAMPLES

# ---- a checkpoint, and a run of the queue ----


def test_quick_goes_as_far_as_the_source() -> None:
    """Learning rates over a whole training: their sum, and the last beside the first, on the shipped days."""
    data = split_in_time(load_prices(), 20)
    ways = {}
    for name, settings in (("original", forecasting.ORIGINAL), ("quick", forecasting.QUICK)):
        rates = settings.learning_rate * settings.decay ** np.arange(settings.epochs)
        ways[name] = rates.sum() * forecasting.batches(data, settings), rates[-1] / rates[0]
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
    foretold = forecasting.one_step(model, data, 20)
    [score] = entry.card["scores"].values()
    assert score["days"] == len(data.held_out) == 327
    assert score["rmse"] == pytest.approx(math.sqrt(np.mean((foretold - data.held_out) ** 2)), abs=1e-6)
    assert score["rmse_zero"] == pytest.approx(math.sqrt(np.mean(data.held_out**2)), abs=1e-6)
    before = data.returns[data.split - 1 : -1]
    assert score["rmse_last_value"] == pytest.approx(math.sqrt(np.mean((before - data.held_out) ** 2)), abs=1e-6)


def test_a_checkpoint_is_built_and_the_same_seed_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecasting, "QUICK", replace(forecasting.QUICK, epochs=1, stride=200))
    reports: list = []
    first, second = (build_forecaster.build(tmp_path / name, reports.append) for name in "ab")
    assert first.card["training"] | {"minutes": 0} == {"steps": 1, "seed": 0, "minutes": 0, "threads": 1, "window": 20}
    assert first.card["scores"] == second.card["scores"]
    file = "model.safetensors"
    assert (first.folder / file).read_bytes() == (second.folder / file).read_bytes()
    assert len(reports) == 2


def test_a_run_of_the_queue_trains_as_the_command_does() -> None:
    """One epoch on a table of the user's, by the queue's run and by hand."""
    task = forecaster_job.ForecastTask(epochs=1, seed=4, prices=walk(260))
    forecaster_job.check(task)
    reports = list(forecaster_job.ForecastRun(task, Limits()).reports())
    assert [report.step for report in reports][-1] == task.steps == reports[-1].steps
    assert [report.moment is None for report in reports] == [True] * (len(reports) - 1) + [False]
    data = split_in_time(walk(260), 20)
    expected, _ = build_forecaster.train(data, task.settings, lambda report: None)
    result = forecaster_job.model_of(reports[-1].moment)  # in half precision
    np.testing.assert_allclose(
        forecasting.one_step(result, data, 20), forecasting.one_step(expected, data, 20), atol=1e-2 * data.deviation
    )


def test_a_worker_trains_it_and_saves_the_weights(tmp_path: Path) -> None:
    messages: list = []

    class Connection:
        send, poll = staticmethod(messages.append), staticmethod(lambda: False)

    task = forecaster_job.ForecastTask(epochs=1, prices=walk(201))
    assert worker._train(Connection(), task, tmp_path, Limits()) is None  # type: ignore[arg-type]
    assert {kind for kind, *_ in messages} == {"report"}
    assert messages[-1][2] == messages[-1][1].step == task.steps
    snapshot = snapshots.load(tmp_path / types.moment_file(task.steps))
    foretold = forecasting.one_step(forecaster_job.model_of(snapshot), task.series, 20)
    assert np.isfinite(foretold).all()
    late = forecaster_job.ForecastRun(task, Limits(seconds=0))
    assert len(list(late.reports())) == 1
    assert late.ended is not None
    assert late.ended.code == "run_time"


def test_its_run_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is over in a minute: neither the worker nor the queue keeps what another server could go on from."""

    class Gone:
        def send(self, message: tuple) -> None:
            raise BrokenPipeError

    task = forecaster_job.ForecastTask(epochs=2, prices=walk(201))
    with pytest.raises(BrokenPipeError):
        worker._train(Gone(), task, tmp_path, Limits())  # type: ignore[arg-type]
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
        forecaster_job.check(forecaster_job.ForecastTask(**changes))
    with pytest.raises(InvalidInput, match="at least"):
        forecaster_job.check(forecaster_job.ForecastTask(prices=walk(100)))


# ---- refusals ----


@pytest.mark.parametrize(
    "changes", [{"causal_encoder": False}, {"target_vocabulary": 2}, {"inputs": "tokens", "source_vocabulary": 5}]
)
def test_another_model_is_refused(changes: dict) -> None:
    model = forecaster(**changes)
    for run in (
        lambda: next(forecasting.train(model, series(), SETTINGS)),
        lambda: forecasting.one_step(model, series(), 6),
    ):
        with pytest.raises(InvalidInput) as refusal:
            run()
        assert refusal.value.code == "forecast_model"
        assert refusal.value.values["field"] in changes


def test_settings_that_cannot_be_are_refused() -> None:
    for changes in ({"window": 0}, {"epochs": 1.5}, {"learning_rate": 0}, {"clip": math.nan}, {"decay": -1}):
        with pytest.raises(InvalidInput, match=next(iter(changes))):
            replace(SETTINGS, **changes)
    with pytest.raises(InvalidInput, match="A window of 65 days does not fit the model's 64 positions"):
        next(forecasting.train(forecaster(), series(65), replace(SETTINGS, window=65)))
