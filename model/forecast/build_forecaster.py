"""Make the forecaster's checkpoint: system C2 on the shipped prices, and the card that tells how it does."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from model import presets
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.forecast import forecasting, naive
from model.forecast.forecasting import ForecastReport, ForecastSettings
from model.forecast.naive import Comparison
from model.forecast.prices import Series, load_prices, split_in_time
from model.initial_weights import count_parameters
from model.transformer import Transformer

NAME = "forecast"
PRESET = "forecaster"
COMMAND = f"python -m model train {NAME}"
_ABOUT = """# {name}

Reads the log returns of {window} days and foretells the next one. Trained on the first nine tenths of the shipped
prices, judged on the last {days} days, one step ahead. Root mean square errors of the daily return:

| forecast | error |
|---|---|
| the model | {model:.5f} |
| "tomorrow = 0" | {zero:.5f} |
| "tomorrow = today" | {last:.5f} |

Held against "tomorrow = 0", the model is {verdict}. Nobody knows tomorrow's price, and nothing here is advice.

{parameters:,} parameters, stored in half precision as safetensors.

## Make it again

`{command}`: {steps} steps, seed {seed}, {minutes} minutes on one core.
"""


def start(settings: ForecastSettings) -> Transformer:
    """An untrained C2; torch's generator is left as its seed says, so that dropout is the same each time."""
    model = checkpoints.random_model(presets.find(PRESET).config, settings.seed).requires_grad_(True)
    torch.manual_seed(settings.seed)
    return model


def train(
    series: Series, settings: ForecastSettings, progress: Callable[[ForecastReport], object]
) -> tuple[Transformer, int]:
    """A trained model, and how many steps it took."""
    model = start(settings)
    for report in forecasting.train(model, series, settings):
        progress(report)
    return model.requires_grad_(False), settings.epochs * forecasting.batches(series, settings)


def build(out: Path, progress: Callable[[ForecastReport], object]) -> Entry:
    """Train on the shipped prices into `out`, and judge on the days held out, with the weights as they are stored."""
    torch.set_num_threads(1)
    settings, began = forecasting.QUICK, time.process_time()
    series = split_in_time(load_prices(), settings.window)
    model, steps = train(series, settings, progress)
    minutes = round((time.process_time() - began) / 60, 1)
    checkpoints.save_model(out, model)
    entry = Entry(out)
    model_on_disk = checkpoints.load_model(entry)
    comparison = naive.compare(series, forecasting.one_step(model_on_disk, series, settings.window))
    training = {"steps": steps, "seed": settings.seed, "minutes": minutes, "threads": 1, "window": settings.window}
    card = _card(count_parameters(model), series, comparison, training)
    (out / "card.json").write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    (out / "card.md").write_text(_prose(card, comparison), encoding="utf-8")
    return entry


def _card(
    parameters: dict[str, int], series: Series, comparison: Comparison, training: dict[str, Any]
) -> dict[str, Any]:
    errors = {"rmse": comparison.model.rmse} | {
        f"rmse_{key.replace(' ', '_')}": of.rmse for key, of in comparison.naive.items()
    }
    name, days = "stock-daily", len(series.held_out)
    return {
        "task": "forecast",
        "command": COMMAND,
        "data": [{"name": name, "pairs": series.split, "licence": "public domain"}],
        "splits": {"train": series.split, "test": days},
        "parameters": parameters,
        "scores": {name: {"days": days} | {key: round(error, 6) for key, error in errors.items()}},
        "training": training,
    }


def _prose(card: dict[str, Any], comparison: Comparison) -> str:
    training = card["training"]
    verdicts = {"better": "better", "worse": "worse", "undecided": "neither better nor worse beyond chance"}
    return _ABOUT.format(
        name=NAME,
        window=training["window"],
        days=card["splits"]["test"],
        model=comparison.model.rmse,
        zero=comparison.naive["zero"].rmse,
        last=comparison.naive["last value"].rmse,
        verdict=verdicts[comparison.differences["zero"].verdict],
        parameters=card["parameters"]["total"],
        command=card["command"],
        steps=training["steps"],
        seed=training["seed"],
        minutes=training["minutes"],
    )
