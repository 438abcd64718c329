"""Computations of the model for the page about its layers: its own trace, LayerNorms, and the lenses."""

from collections.abc import Mapping

import numpy as np

from model.analysis import layer_norm, logit_lens, residual_stream
from model.analysis.layer_norm import Affine
from model.analysis.logit_lens import LogitLens
from model.analysis.residual_stream import Side
from model.checkpoint.catalogue import Entry, Untrained
from model.lenses import fitted_lenses
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
    normed = residual_stream.norms(exact(current_run).values, side, config.norm, config.final_norm, config.parallel)
    return {norm.depth: norm.x for norm in normed}


@models.cached
def affine(entry: Entry, side: Side, at: str) -> Affine:
    """Learned parameters of a LayerNorm."""
    return layer_norm.affine(models.checkpoint(entry).model, side, at)


FITTED = ("tuned", "jacobian")  # lenses that a command fits


def lenses(entry: Entry) -> "fitted_lenses.FittedLenses | None":
    """The lenses fitted to a model; None if there are none. An untrained one has none: its weights are drawn anew."""
    return None if isinstance(entry, Untrained) else fitted_lenses.read(entry.folder, entry.config)


def lens_state(entry: Entry) -> tuple[int, int]:
    """What changes when the lenses are fitted again; for caches."""
    status = (entry.folder / fitted_lenses.FILE).stat()
    return status.st_mtime_ns, status.st_size


def early(current_run: CurrentRun, side: Side, every_sublayer: bool, lens: str = "logit") -> LogitLens:
    """Prediction of each depth, for every step, by the logit lens or a fitted one."""
    exact(current_run)
    state = lens_state(current_run.entry) if lens in FITTED else None
    return _early(current_run.entry, current_run.sentence, side, every_sublayer, lens, state)


@models.cached
def _early(
    entry: Entry, sentence: str, side: Side, every_sublayer: bool, lens: str, state: tuple[int, int] | None
) -> LogitLens:
    fitted = lenses(entry) if state else None
    return logit_lens.early(
        models.checkpoint(entry).model,
        models.run(entry, sentence).trace.values,
        side,
        every_sublayer,
        translators=getattr(fitted, lens) if fitted else None,
    )


def predicts(entry: Entry) -> Side | None:
    """The side whose stream the output layer reads; None where there is no output layer."""
    if entry.config.architecture != "encoder":
        return "decoder"
    return "encoder" if entry.config.target_vocabulary else None
