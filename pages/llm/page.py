"""Today's LLMs: six changes that turn the Transformer of 2017 into one, each with a trained model."""

from __future__ import annotations

from model.train import llm_changes
from pages.llm import explained, series, switches
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop

ALL = dict.fromkeys(llm_changes.NAMES, True) | {"show": None}
NONE: dict[str, object] = dict.fromkeys((*llm_changes.NAMES, "show"))


def build() -> None:
    """The switches, and what each of them does."""
    switches.figure()
    page.flush()
    explained.figure()


page.head(
    "llm",
    tour=(
        Stop("llm.tour_switches", "figure_switches", NONE),
        Stop("llm.tour_decoder", "figure_switches", NONE | {"decoder_only": True}),
        Stop("llm.tour_all", "figure_switches", ALL),
        Stop("llm.tour_explained", "figure_explained", {"show": None, "about": "grouped"}),
        Stop("llm.tour_measured", "figure_loss", {"show": "measured"}),
    ),
)
page.tabs("llm", {"switches": build, "measured": series.figures})
tour.try_this(
    {
        "llm.try_today": Step("figure_switches", ALL),
        "llm.try_cache": Step("figure_switches", NONE | {"decoder_only": True, "grouped": True}),
        "llm.try_parameters": Step("figure_switches", NONE | {"decoder_only": True, "gated": True}),
    }
)
