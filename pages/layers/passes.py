"""Computations of the model for the page about its layers: its own trace, LayerNorms, and the logit lens."""

from collections.abc import Mapping

import numpy as np

from model.analysis import layer_norm, logit_lens, residual_stream
from model.analysis.layer_norm import Affine
from model.analysis.logit_lens import LogitLens
from model.analysis.residual_stream import Side
from model.checkpoint.catalogue import Entry
from model.trace import Trace
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun


def exact(current_run: CurrentRun) -> Trace:
    """The trace of the model itself, waited for where a recorded and rounded one stands in."""
    if not current_run.recorded:
        return current_run.trace
    with warmup.spinner():
        return models.run(current_run.entry, current_run.sentence).trace


def norms(current_run: CurrentRun, side: Side) -> Mapping[str, np.ndarray]:
    """Every LayerNorm of a side: its place, and the vectors (T, d_model) that enter it."""
    config = current_run.entry.config
    normed_places = residual_stream.norms(
        exact(current_run).values, side, config["norm"], config["final_norm"], config.get("parallel", False)
    )
    return {norm.place: norm.x for norm in normed_places}


@models.cached
def affine(entry: Entry, side: Side, at: str) -> Affine:
    """Learned parameters of a LayerNorm."""
    return layer_norm.affine(models.checkpoint(entry).model, side, at)


def early(current_run: CurrentRun, side: Side, every_sublayer: bool) -> LogitLens:
    """Prediction of each place along the depth, for every step."""
    exact(current_run)
    return _early(current_run.entry, current_run.sentence, side, every_sublayer)


@models.cached
def _early(entry: Entry, sentence: str, side: Side, every_sublayer: bool) -> LogitLens:
    return logit_lens.early(
        models.checkpoint(entry).model, models.run(entry, sentence).trace.values, side, every_sublayer
    )


def predicts(entry: Entry) -> Side | None:
    """The side whose stream the output layer reads; None where there is no output layer."""
    if entry.config["architecture"] != "encoder":
        return "decoder"
    return "encoder" if entry.config["target_vocabulary"] else None
