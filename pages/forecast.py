"""Forecast: a small Transformer on a price series, held against forecasts that need no model."""

from pages.shared import forecast, forecast_figures, forecast_train, forecast_words, page, take
from pages.shared.page import Step, Stop

page.head(
    "forecast",
    tour=(
        Stop("forecast.tour_series", "figure_series", {"series": None, "as": None}),
        Stop("forecast.tour_against", "figure_against", {"series": None, "shown": None}),
        Stop("forecast.tour_errors", "figure_errors"),
        Stop("forecast.tour_attention", "figure_attention"),
        Stop("forecast.tour_ahead", "figure_ahead"),
    ),
)
forecast_words.no_advice()
bench = forecast.bench()
forecast_figures.series(bench)
if bench.source is None:
    forecast_words.no_model()
else:
    forecast_figures.against(bench)
    forecast_figures.errors(bench)
    forecast_figures.attention(bench)
    forecast_figures.ahead(bench)
forecast_train.form(bench.text)
page.try_this(
    {
        "forecast.try_prices": Step("figure_against", {"shown": "prices"}),
        "forecast.try_layer": Step("figure_attention", {"at_layer": 1, "day": 1}),
        "forecast.try_ahead": Step("figure_ahead", {"start": 150}),
        "forecast.try_own": Step("own_prices", {"series": "own"}),
    }
)
take.link()
