"""Forecast: a small Transformer on a price series, held against forecasts that need no model."""

from pages.forecast import figures, notes, train, workbench
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop

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
notes.no_advice()
state = workbench.read()
figures.series(state)
if state.source is None:
    notes.no_model()
else:
    figures.against(state)
    figures.errors(state)
    figures.attention(state)
    figures.ahead(state)
train.form(state.text)
tour.try_this(
    {
        "forecast.try_prices": Step("figure_against", {"shown": "prices"}),
        "forecast.try_layer": Step("figure_attention", {"at_layer": 1, "day": 1}),
        "forecast.try_ahead": Step("figure_ahead", {"start": 150}),
        "forecast.try_own": Step("own_prices", {"series": "own"}),
    }
)
