"""Layers: what each sublayer adds to a token's vector, and what the model would already say."""

from collections.abc import Callable

import streamlit as st

from pages.layers import context, feed_forward, norm, residual, selection, stream
from pages.layers.lenses import tab
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun, read


def settings(show: str, current_run: CurrentRun) -> tuple[CurrentRun, selection.Position] | tuple[CurrentRun]:
    """The token whose vector is looked at."""
    if show in ("early", "residual", "context"):
        st.empty()
        return (current_run,)
    return current_run, selection.position(current_run)


page.head(
    "layers",
    tour=(
        Stop("layers_tour.stream", "figure_stream", {"show": None}),
        Stop("layers_tour.writes", "figure_writes", {"show": None}),
        Stop("layers_tour.residual", "figure_stack", {"show": "residual", "stack_norm": None}),
        Stop("layers_tour.norm", "figure_norm", {"show": "norm"}),
        Stop("layers_tour.units", "figure_excites", {"show": "feed_forward"}),
        Stop("layers_tour.early", "figure_early", {"show": "early", "lens": None}),
    ),
)
run_in_view = read()
model_notices.untrained(run_in_view)
VIEWS: dict[str, Callable[..., None]] = {
    "stream": stream.figures,
    "residual": residual.figures,
    "norm": norm.figures,
    "feed_forward": feed_forward.figures,
    "early": tab.figures,
    "context": context.figures,
}
page.tabs("layers", VIEWS, run_in_view, settings=settings)
tour.try_this(
    {
        "layers_try.late": Step("figure_early", {"show": "early", "lens": None, "every": True}),
        "layers_try.residual": Step("figure_removed", {"show": "residual"}),
        "layers_try.small_batch": Step("figure_batch", {"show": "norm", "batch": 1}),
        "layers_try.post": Step(
            "figure_stream", {"checkpoint": "untrained-paper", "show": None, "side": "encoder", "token": None}
        ),
        "layers_try.decoder_lens": Step("figure_decoder_lens", {"show": "early", "lens": "decoder"}),
    }
)
