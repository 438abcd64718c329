"""Layers: what each sublayer adds to a token's vector, and what the model would already say."""

from collections.abc import Callable

import streamlit as st

from pages.shared import (
    explain,
    layers,
    layers_early,
    layers_feed_forward,
    layers_norm,
    layers_residual,
    layers_stream,
    page,
    take,
)
from pages.shared.page import Step, Stop
from pages.shared.reading import Reading, read


def settings(show: str, reading: Reading) -> tuple[Reading, layers.Place] | tuple[Reading]:
    """The token whose vector is looked at."""
    if show in ("early", "residual"):
        st.empty()
        return (reading,)
    return reading, layers.place(reading)


page.head(
    "layers",
    tour=(
        Stop("layers_tour.stream", "figure_stream", {"show": None}),
        Stop("layers_tour.writes", "figure_writes", {"show": None}),
        Stop("layers_tour.residual", "figure_stack", {"show": "residual", "stack_norm": None}),
        Stop("layers_tour.norm", "figure_norm", {"show": "norm"}),
        Stop("layers_tour.units", "figure_excites", {"show": "feed_forward"}),
        Stop("layers_tour.early", "figure_early", {"show": "early"}),
    ),
)
reading_ = read()
explain.untrained(reading_)
VIEWS: dict[str, Callable[..., None]] = {
    "stream": layers_stream.figures,
    "residual": layers_residual.figures,
    "norm": layers_norm.figures,
    "feed_forward": layers_feed_forward.figures,
    "early": layers_early.figures,
}
page.views("layers", VIEWS, reading_, settings=settings)
page.try_this(
    {
        "layers_try.late": Step("figure_early", {"show": "early", "every": True}),
        "layers_try.residual": Step("figure_removed", {"show": "residual"}),
        "layers_try.small_batch": Step("figure_batch", {"show": "norm", "batch": 1}),
        "layers_try.post": Step(
            "figure_stream", {"checkpoint": "untrained-paper", "show": None, "side": "encoder", "token": None}
        ),
    }
)
take.link()
