"""Forecast: a small Transformer on a price series, held against forecasts that need no model."""

from pages.forecast import forecast_charts, forecast_state, notes, train
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop

OWN = {"against": "shown", "series": "as", "attention": "day at_layer at_head", "ahead": "start",
       "train": "epochs rate seed_run"}  # fmt: skip

page.head(
    "forecast",
    tour=(
        Stop("forecast.tour_series", "figure_series", {"show": "series", "series": None, "as": None}),
        Stop("forecast.tour_against", "figure_against", {"show": None, "series": None, "shown": None}),
        Stop("forecast.tour_errors", "figure_errors", {"show": "errors"}),
        Stop("forecast.tour_attention", "figure_attention", {"show": "attention"}),
        Stop("forecast.tour_ahead", "figure_ahead", {"show": "ahead"}),
    ),
)
notes.no_advice()
state = forecast_state.read()
if state.source is None:
    notes.no_model()
page.tabs("forecast", forecast_charts.tabs(state) | {"train": lambda state: train.form(state.text)}, state, own=OWN)
tour.try_this(
    {
        "forecast.try_prices": Step("figure_against", {"show": None, "shown": "prices"}),
        "forecast.try_layer": Step("figure_attention", {"show": "attention", "at_layer": 1, "day": 1}),
        "forecast.try_ahead": Step("figure_ahead", {"show": "ahead", "start": 150}),
        "forecast.try_own": Step("own_prices", {"series": "own"}),
    }
)
