"""Predictions of a pass: the likeliest tokens, and the log-probability of given ones, also where no logits are kept.

T rows, V tokens of the vocabulary, K of them kept. The logits of a large vocabulary are the largest value of a trace
and the quickest to compute again, so that a trace that is kept for long does without them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from model.analysis.logit_lens import top_ids
from model.analysis.softmax import log_probabilities as of_logits
from model.analysis.softmax import log_softmax
from model.trace import LOGITS, Likeliest, Trace, WithoutLogits

if TYPE_CHECKING:
    from model.transformer import Transformer

LARGE = 20_000  # tokens; a smaller vocabulary keeps its logits
KEPT = 64  # tokens of each row


def generated(trace: Trace) -> np.ndarray:
    """The likeliest token of each row, (T) ids; the lower id where two are equal."""
    ids: np.ndarray = trace.values[LOGITS].argmax(axis=-1) if trace.likeliest is None else trace.likeliest.ids[:, 0]
    return ids


def candidates(trace: Trace, row: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the likeliest tokens of a row, likeliest first, and their log-probabilities in nats, (count) each."""
    likeliest = trace.likeliest
    if likeliest is not None and count <= likeliest.ids.shape[1]:
        return likeliest.ids[row, :count], likeliest.logits[row, :count] - likeliest.log_sums[row]
    logits = trace.values[LOGITS][row]
    ids = np.argsort(-logits, kind="stable")[:count]
    return ids, log_softmax(logits)[ids]


def log_probabilities(trace: Trace, ids: Sequence[int] | np.ndarray, first: int = 0) -> np.ndarray:
    """Of one token in each row from `first` on, in nats, (len(ids))."""
    rows, tokens = slice(first, first + len(ids)), np.asarray(ids, dtype=int)
    likeliest = trace.likeliest
    if likeliest is not None:
        matches = likeliest.ids[rows] == tokens[:, None]  # (len(ids), K)
        if matches.any(axis=-1).all():
            return likeliest.logits[rows][matches].astype(np.float64) - likeliest.log_sums[rows]
    return of_logits(trace.values[LOGITS][rows], tokens)


def without_logits(trace: Trace, model: Callable[[], Transformer]) -> Trace:
    """The same trace without the logits of a large vocabulary, to be kept; of a small one the trace itself.

    `trace.values["logits"]` still gives them, (T, V), each time anew by the output layer of the model, which is asked
    for when it is needed and may have been loaded again. They equal the recorded ones exactly. The trace has to be of a
    pass without edits of the logits.
    """
    logits = trace.values.get(LOGITS)
    if logits is None or logits.shape[-1] <= LARGE:
        return trace
    values = {name: value for name, value in trace.values.items() if name != LOGITS}
    read = values["decoder.output" if "decoder.output" in values else "encoder.output"]  # (T, d_model)
    return replace(trace, values=WithoutLogits(values, _OutputLayer(read, model)), likeliest=_likeliest(logits))


@dataclass(frozen=True, eq=False)
class _OutputLayer:
    """The logits of what the output layer reads, (T, d_model); goes to another process where `model` can."""

    read: np.ndarray
    model: Callable[[], Transformer]

    def __call__(self) -> np.ndarray:
        import torch  # late: a trace can be shown without it

        with torch.inference_mode():
            return self.model().predict(torch.tensor(self.read)[None])[0].numpy()


def _likeliest(logits: np.ndarray) -> Likeliest:
    import torch  # late, and quicker than numpy with rows of this length

    ids = top_ids(logits, KEPT)
    log_sums = torch.from_numpy(logits).double().logsumexp(dim=-1).numpy()
    return Likeliest(ids, np.take_along_axis(logits, ids, axis=-1), log_sums)
