"""The whole model on one sheet: every weight and every value of the pass over the sentence in view."""

from contextlib import suppress

import streamlit as st

from model.errors import InvalidInput
from pages.shared.changes.in_link import example
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import current, model_notices
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.ui import reserved_space
from pages.sheet.figure import sheet

ROOM = (780, 670)  # pixels, wide and on a phone: the sheet, the film and the overview map


def figures(current_run: CurrentRun) -> None:
    """The sheet in a place of its own, at which tours and steps to try point."""
    with st.container(key="whole_model"), reserved_space.reserve("sheet", *ROOM, marks=True):
        sheet(current_run)


def first_attention() -> str:
    """The first attention of the model in view; what is wrong with a damaged one is said elsewhere."""
    with suppress(InvalidInput):
        entry = current.entry()
        if entry and not entry.config.encoder_layers:
            return "decoder.0.self_attention"
    return "encoder.0.self_attention"


def cell(current_run: CurrentRun, part: str, head: int | None = None) -> dict[str, object]:
    """A cell of the last layer, of the attention that reads the sentence; the camera flies there."""
    config = current_run.entry.config
    crosses = config.architecture == "encoder-decoder"
    side = "decoder" if config.decoder_layers else "encoder"
    attention = "cross_attention" if crosses and part != "hidden" else "self_attention"
    sublayer = "feed_forward" if part == "hidden" else attention
    name = f"{side}.{config.layers(side) - 1}.{sublayer}.{part}"
    return {"cell": f"{name}{'' if head is None else f'[{head}]'},1,1", "camera": None}


def one_head(current_run: CurrentRun) -> dict[str, object]:
    """The changes that switch head 0 of the last layer off, and what it found."""
    choices = cell(current_run, "head_outputs", 0)
    side, layer, attention, _ = str(choices["cell"]).split(".")
    kind = "cross" if attention == "cross_attention" else side
    return choices | {"changes": f"off:{kind}.{layer}.0", "shown": "difference"}


FIRST = first_attention()
page.head(
    "sheet",
    tour=(
        Stop("sheet.tour_whole", "whole_model", {"camera": None, "cell": None}),
        Stop("sheet.tour_head", "whole_model", {"cell": f"{FIRST}.weights[0],1,1", "camera": None}),
        Stop("sheet.tour_sum", "whole_model", {"cell": f"{FIRST}.q[0],1,1", "camera": None}),
        Stop("sheet.tour_film", "whole_model", {"camera": None, "cell": None}),
    ),
)
run_in_view = read()
model_notices.untrained(run_in_view)
page.fragment(figures, run_in_view)
tour.try_this(
    {
        "sheet.try_weight": Step("whole_model", cell(run_in_view, "weights", 0)),
        "sheet.try_score": Step("whole_model", cell(run_in_view, "scores", 0)),
        "sheet.try_unit": Step("whole_model", cell(run_in_view, "hidden")),
        "sheet.try_one": Step("whole_model", one_head(run_in_view)),
        "sheet.try_off": Step("whole_model", {"changes": example(), "shown": "difference"}),
    }
)
