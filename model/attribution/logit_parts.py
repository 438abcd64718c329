"""Direct logit attribution: a logit as the sum of what each part of the model has written into the residual stream.

d_model numbers in the stream. Only what goes straight from a part to the output counts: what a
head did to later layers is in their parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.analysis.residual_stream import FINAL, Side
from model.attribution.paths.graph import logit_of, readout
from model.attribution.score_terms.stream_parts import Head, kind_of, read_by
from model.attribution.why_question import Question
from model.trace import AttentionKind
from model.transformer import Transformer


@dataclass(frozen=True)
class Part:
    """Summand of the logit that one part of the model writes.

    name   embedding, position, segment, self_attention, cross_attention, feed_forward or biases
    layer  of a sublayer, head of an attention, token where a head is split into what it read
    """

    name: str
    value: float
    layer: int | None = None
    head: int | None = None
    token: int | None = None

    def recorded(self, side: AttentionKind) -> str:
        """As files and commands name it: `cross.1.0` for a head, `decoder.1.feed_forward`, `embedding`.

        `side` is that of the token that is written.
        """
        if self.layer is None:
            return self.name
        if self.head is None:
            return f"{side}.{self.layer}.{self.name}"
        return f"{kind_of(side, self.name)}.{self.layer}.{self.head}"


@dataclass(frozen=True)
class Split:
    """A logit, or the difference of two, and its parts in the order of the pass; their sum is the logit."""

    logit: float
    parts: tuple[Part, ...]

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)


def can_split(model: Transformer) -> bool:
    """Whether the output layer reads the stream itself; BERT has a layer with an activation in between."""
    config = model.config
    return bool(config.target_vocabulary) and not config.output_transform and not config.embedding_size


def split_logit(model: Transformer, question: Question) -> Split:
    """The logit of the token asked about (less that of the alternative), split exactly.

    The scale of every LayerNorm that the stream passes is held fixed at what it was in this pass; then each step to the
    output is linear. Biases of attention outputs, of norms and of the output layer are one part; those inside a
    feed-forward network belong to it.
    """
    return _split(model, question, None)


def split_head(model: Transformer, question: Question, kind: AttentionKind, layer: int, head: int) -> np.ndarray:
    """Split a head's part of the logit by the token whose value it took: (S + T), 0 for the side that it does not read.

    Their sum is the head's part in `split_logit`.
    """
    read = [part for part in _split(model, question, (kind, layer, head)).parts if part.token is not None]
    values = np.zeros(len(question.source) + len(question.target))
    start = len(question.source) if kind == "decoder" else 0
    for part in read[: len(values) - start]:
        values[start + (part.token or 0)] = part.value
    return values


def _split(model: Transformer, question: Question, open_head: Head | None) -> Split:
    """The logit in parts, with the head `open_head` in a part for each token that it read."""
    side: Side = "decoder" if question.run.target else "encoder"
    row = slice(question.row, question.row + 1)
    parts = read_by(model, question.run.trace.values, side, FINAL, row, opened=open_head)
    reads, bias = readout(model, question)
    named = list(zip(parts.places, (float(vector @ reads) for [vector] in parts.vectors), strict=True))
    biases = bias + sum(value for place, value in named if place.is_bias)
    own = [Part(place.name, value, *place[2:]) for place, value in named if not place.is_bias]
    return Split(logit_of(question), (*own, Part("biases", biases)))
