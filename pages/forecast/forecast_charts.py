"""The figures of the forecast: the series, forecast against actual, its errors, its attention, and days ahead."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from model.forecast import forecasting
from model.forecast.naive import Comparison
from pages.forecast import cached_forecasts
from pages.forecast.cached_forecasts import AHEAD, EVERY
from pages.forecast.forecast_state import ForecastState
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.charts import forecast_charts
from viz.data import Matrix
from viz.numbers import percent, signed, signed_percent

_NAMES = {"zero": "zero", "last value": "last"}  # of model.forecast.naive, and in the words
_BEFORE = 20  # days that are shown before a recursive forecast begins


def series(state: ForecastState) -> None:
    """The whole series as prices or as returns, and where it is split."""
    with page.card("figure_series", words("forecast.title_series")):
        returns = _as_returns()
        s, texts = state.series, section("forecast_chart")
        values = s.returns if returns else s.prices[1:]
        rows = forecast_charts.series_rows([str(day) for day in s.dates], values.tolist(), s.split)
        training, held_out = s.split, len(s.held_out)
        labels = texts | {
            "value": texts["return" if returns else "price"],
            "learned": words("forecast.learned", count=f"{training:,}"),
            "held_out": words("forecast.held_out", count=f"{held_out:,}"),
            "description": words(
                "forecast_described.series", first=s.dates[0], last=s.dates[-1], split=s.dates[s.split],
                what=texts["return" if returns else "price"],
            ),
        }  # fmt: skip
        chart = forecast_charts.series_chart(rows, labels, log=not returns)
        show.figure("forecast-series", chart.with_rows(lambda: _series_rows(state)))
        show.caption(words(f"forecast.caption_{'returns' if returns else 'prices'}", column=state.column))
    page.formula("forecast")


def against(state: ForecastState) -> None:
    """Forecast against actual, as returns or as prices, with the names the right way round."""
    with page.card("figure_against", words("forecast.title_against")):
        returns = controls.choice("shown", words("forecast.shown"), section("forecast_shown"), "returns", hidden=True)
        s, texts = state.series, section("forecast_chart")
        as_returns = returns == "returns"
        actual = s.held_out if as_returns else s.prices[s.split + 1 :]
        foretold = state.forecast if as_returns else forecasting.one_step_prices(s, state.forecast)
        rows = forecast_charts.line_rows(state.days, {"actual": actual.tolist(), "forecast": foretold.tolist()})
        labels = texts | {
            "x": texts["day"],
            "y": texts["return" if as_returns else "price"],
            "description": words("forecast_described.against", first=state.days[0], last=state.days[-1]),
        }
        figure = forecast_charts.lines_chart(rows, labels, dates=True, percent=as_returns)
        show.figure("forecast-against", figure)
        if as_returns:
            spread, actual_spread = (f"{100 * deviation:.2f}" for deviation in (state.forecast.std(), actual.std()))
            show.text(
                words(
                    "forecast.narrow",
                    mean=signed(100 * state.forecast.mean(), 2),
                    spread=spread,
                    moved=actual_spread,
                )
            )
        else:
            show.text(words("forecast.looks_good"))
        show.caption(words("forecast.legend"))


def errors(state: ForecastState) -> None:
    """Errors beside those of the naive forecasts, the verdict in a sentence, and its interval."""
    assert state.source is not None
    comparison = cached_forecasts.comparison(state.source, state.text)
    with page.card("figure_errors", words("forecast.title_errors")):
        for name, key in _NAMES.items():
            show.text(_verdict(comparison, name, key))
        texts = section("forecast_errors")
        show.table(
            forecast_charts.table_html(
                [texts[key] for key in ("which", "rmse", "mae", "direction")], _table(comparison)
            )
        )
        show.caption(words("forecast.direction", up=percent(float(np.mean(state.series.held_out > 0)), 1)))
        rows = forecast_charts.interval_rows(
            {words(f"forecast.naive_{key}"): _relative(comparison, name) for name, key in _NAMES.items()}
        )
        labels = texts | section("forecast_verdicts") | {"description": words("forecast_described.errors")}
        show.figure("forecast-errors", forecast_charts.interval_chart(rows, labels))
        show.caption(words("forecast.interval"))
    page.formula("forecast_error")


def _relative(comparison: Comparison, name: str) -> tuple[float, float, float, str]:
    """The difference and its interval as shares of the naive forecast's mean square error, and the verdict."""
    difference, base = comparison.differences[name], comparison.naive[name].mse
    return difference.mean / base, difference.low / base, difference.high / base, difference.verdict


def _verdict(comparison: Comparison, name: str, key: str) -> str:
    mean, low, high, verdict = _relative(comparison, name)
    other = words(f"forecast.naive_{key}")
    change = words("forecast.higher" if mean > 0 else "forecast.lower", share=percent(abs(mean), 1))
    interval = words("number.range", low=signed_percent(low), high=signed_percent(high))
    return words(f"forecast.verdict_{verdict}", other=other, change=change, interval=interval)


def _table(comparison: Comparison) -> list[list[str]]:
    lines = {words("forecast.model_row"): comparison.model} | {
        words(f"forecast.naive_{key}"): comparison.naive[name] for name, key in _NAMES.items()
    }
    return [
        [
            name,
            f"{100 * of.rmse:.3f}%",
            f"{100 * of.mae:.3f}%",
            "–" if of.direction is None else percent(of.direction, 1),
        ]
        for name, of in lines.items()
    ]


def attention(state: ForecastState) -> None:
    """Where the forecast of a chosen day looks: each head's weights over the days that it reads."""
    assert state.source is not None
    with page.card("figure_attention", words("forecast.title_attention")):
        count = len(state.days)
        with st.container(horizontal=True, key="attention_controls", vertical_alignment="bottom"):
            day = controls.slider("day", words("forecast.day"), 1, count, count) - 1
            weights = cached_forecasts.attention(state.source, state.text, day)  # (layers, H, L, L)
            layers, heads, length, _ = weights.shape
            layer = controls.choice("at_layer", words("place.layer"), {i: str(i) for i in range(layers)}, 0)
            head = controls.choice("at_head", words("place.head"), {i: str(i) for i in range(heads)}, 0)
        s = state.series
        at = s.split + day
        read = [str(date_)[2:] for date_ in s.dates[at - length : at]]
        show.text(
            words(
                "forecast.read", first=s.dates[at - length], last=s.dates[at - 1], day=s.dates[at],
                forecast=signed(100 * state.forecast[day], 2), actual=signed(100 * s.returns[at], 2),
            )
        )  # fmt: skip
        names = tuple(str(i) for i in range(heads))
        figures = [
            Matrix(
                "heads", words("forecast.heads", layer=layer), weights[layer, :, -1], names, tuple(read),
                row_axis=words("place.head"), column_axis=words("forecast.days_axis"), scale="weight", colour="encoder",
            ),
            Matrix(
                "head", words("forecast.head", layer=layer, head=head), weights[layer, head], tuple(read), tuple(read),
                row_axis=words("forecast.from_axis"), column_axis=words("forecast.days_axis"), scale="weight",
                colour="encoder",
            ),
        ]  # fmt: skip
        matrices("forecast_attention", figures, files="forecast-attention")
        show.caption(words("forecast.causal"))


def ahead(state: ForecastState) -> None:
    """A forecast fed back day by day, beside what happened, and how its error grows."""
    assert state.source is not None
    growth = cached_forecasts.growth(state.source, state.text)
    with page.card("figure_ahead", words("forecast.title_ahead")):
        if growth is None:
            show.text(words("forecast.too_few", days=AHEAD))
            return
        s, texts = state.series, section("forecast_chart")
        last = len(state.days) - AHEAD
        start = controls.slider("start", words("forecast.start"), 1, last + 1, 1) - 1
        at = s.split + start
        foretold = forecasting.recursive_prices(s, cached_forecasts.recursive(state.source, state.text, start), at)
        days = [str(day) for day in s.dates[at - _BEFORE : at + AHEAD]]
        actual = s.prices[at - _BEFORE + 1 : at + AHEAD + 1].tolist()
        line = [None] * (_BEFORE - 1) + [float(s.prices[at]), *foretold.tolist()]
        rows = forecast_charts.line_rows(days, {"actual": actual, "forecast": line})
        about = words("forecast_described.ahead", day=s.dates[at], days=AHEAD)
        labels = texts | {"x": texts["day"], "y": texts["price"], "description": about}
        show.figure("forecast-ahead", forecast_charts.lines_chart(rows, labels, dates=True))
        off = foretold[-1] / actual[-1] - 1
        show.text(words("forecast.off", days=AHEAD, off=signed(100 * off, 1)))
        show.subheader(words("forecast.title_growth"))
        series_ = {key: getattr(growth, key).tolist() for key in ("model", "stays", "walk")}
        rows_of_growth = forecast_charts.line_rows(list(range(1, AHEAD + 1)), series_)
        about = words("forecast_described.growth", days=AHEAD)
        labels = texts | {"x": texts["ahead"], "y": texts["error"], "description": about}
        show.figure("forecast-growth", forecast_charts.lines_chart(rows_of_growth, labels, dates=False, percent=True))
        show.caption(words("forecast.growth", count=growth.starts, every=EVERY))


def tabs(state: ForecastState) -> dict[str, Callable[[ForecastState], None]]:
    """The figures by their tabs; without a forecaster there is only the series."""
    if state.source is None:
        return {"series": series}
    return {"against": against, "errors": errors, "series": series, "attention": attention, "ahead": ahead}


def _as_returns() -> bool:
    options = section("forecast_shown")
    return controls.choice("as", words("forecast.shown"), options, "returns", hidden=True) == "returns"


def _series_rows(state: ForecastState) -> list[dict[str, object]]:
    s = state.series
    parts = ["learned" if i < s.split else "held out" for i in range(len(s.returns))]
    columns = zip(s.dates, s.prices[1:].tolist(), s.returns.tolist(), s.scaled.tolist(), parts, strict=True)
    return [
        {"date": day, "price": price, "log_return": value, "scaled": scaled, "part": part}
        for day, price, value, scaled, part in columns
    ]
