"""Masks: the user's padded batch, who may see whom, and what comes of a missing mask."""

import streamlit as st

from model.trace import ATTENTION_KINDS
from pages.masks import leakage, loss_figure, mask_matrices
from pages.masks.batch import BOXES, Batch
from pages.masks.batch import read as read_batch
from pages.shared.layout import page, tour
from pages.shared.layout.tour import Step, Stop
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.text.words import section, words
from pages.shared.ui import controls, head_picker, reserved_space, show
from pages.shared.ui.downloads import export
from pages.shared.ui.matrices import matrices


def patterns(current_run: CurrentRun, batch: Batch) -> None:
    """Every mask of the architecture."""
    figures = mask_matrices.patterns(batch)
    matrices("masks_patterns", figures, files="masks")
    model_notices.missing_kinds(current_run)
    if batch.padding("decoder"):
        show.caption(words("masks_patterns.spared"))


def scores(current_run: CurrentRun, batch: Batch) -> None:
    """One head before its mask, behind it, and after the softmax."""
    picked = head_picker.pick_head(current_run, candidates=ATTENTION_KINDS)
    figures = mask_matrices.stages(batch, picked)
    matrices(
        "masks_scores", figures, files=f"masks-{picked.kind}-layer{picked.layer}-head{picked.head}", end="_masks-scores"
    )


def leak(current_run: CurrentRun, batch: Batch) -> None:
    """A future word changed, with the causal mask and without."""
    change = leakage.change(batch)
    if change:
        leakage.leak(batch, change)


def fill(current_run: CurrentRun, batch: Batch) -> None:
    """−∞ and −1e9, down to the row that sees nothing."""
    picked = head_picker.pick_head(current_run, candidates=ATTENTION_KINDS)
    fills = mask_matrices.fills(batch, picked, mask_matrices.query(batch, picked))
    matrices("masks_fill", fills.matrices, files="masks-fill")
    show.text(mask_matrices.fill_result(fills))


def padding(current_run: CurrentRun, batch: Batch) -> None:
    """The same sentence beside longer and longer neighbours."""
    leakage.padding(batch)


def loss(current_run: CurrentRun, batch: Batch) -> None:
    """Draw what is counted when the model learns."""
    loss_figure.loss(batch)


SHOWS = {"patterns": patterns, "scores": scores, "leak": leak, "fill": fill, "padding": padding, "loss": loss}

# a decoder alone, and one sentence longer than the one looked at, so that padding is there
LIKE = {
    "sentence": "I like you",
    "sentence_b": "I like you and the house",
    "sentence_c": "",
    "sentence_d": "",
    "row": 1,
}


def figures(current_run: CurrentRun) -> None:
    """The batch, and what the user chose to see of it."""
    with page.card("figure_batch", words("masks_batch.title"), words("masks_batch.caption")):
        batch = read_batch(current_run)
    show = controls.choice("show", words("masks.show"), section("masks_shows"), "patterns", hidden=True)
    with page.card("figure_mask", words(f"masks_{show}.title"), words(f"masks_{show}.caption")):
        with page.tab_container("masks", show):
            SHOWS[show](current_run, batch)
        model_notices.untrained(current_run)
    page.land_on("figure_mask", "show")
    with page.card("figure_read", words("masks_read.title"), words("masks_read.caption")):
        with (
            reserved_space.reserve("batch", mask_matrices.table_height(batch)),
            st.container(key="batch_tables", gap="small"),
        ):
            mask_matrices.tables(batch)
        export.files("batch", mask_matrices.padding_figure(batch))


page.head(
    "masks",
    tour=(
        Stop("masks.tour_batch", "batch_tables", dict.fromkeys((*BOXES, "row"))),
        Stop("masks.tour_patterns", "figure_mask", {"show": None}),
        Stop("masks.tour_scores", "figure_mask", {"show": "scores", "attention_kind": "encoder"}),
        Stop("masks.tour_leak", "figure_mask", {"show": "leak", "leak_at": None, "leak_word": None}),
        Stop("masks.tour_fill", "figure_mask", {"show": "fill"}),
        Stop("masks.tour_loss", "figure_mask", {"show": "loss", "target": None}),
    ),
)
page.fragment(figures, read())
page.formula("mask")
tour.try_this(
    {
        "masks.try_alone": Step("figure_mask", {"show": "patterns", **dict.fromkeys(BOXES, ""), "row": None}),
        "masks.try_leak": Step("figure_mask", {"show": "leak", "leak_at": None, "leak_word": None}),
        "masks.try_fill": Step("figure_mask", {"show": "fill", "query": None}),
        "masks.try_padding": Step("figure_mask", {"show": "padding", "added": 8}),
        "masks.try_loss": Step("figure_mask", {"show": "loss", "checkpoint": "untrained-gpt", **LIKE}),
    }
)
