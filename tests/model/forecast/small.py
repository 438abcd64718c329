"""A small forecaster and made-up prices."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import torch

from model.config import TransformerConfig
from model.forecast.forecasting import ForecastSettings
from model.forecast.prices import (
    Prices,
    Series,
    split_in_time,
)
from model.transformer import Transformer

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
