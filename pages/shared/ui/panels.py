"""A trace's attention, labelled for the figures."""

from collections.abc import Iterable

from model.tokenizer import SPECIALS
from model.trace import Trace
from viz.data import AttentionPanel


def panels(trace: Trace) -> list[AttentionPanel]:
    """Encoder self-, decoder self- and cross-attention.

    A row of self-attention is the word read; a row of cross-attention is the word being written,
    with the word read beside it.
    """
    rows = {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.output_tokens}
    columns = {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.source_tokens}
    return [
        AttentionPanel(
            kind=kind,
            weights=trace.weights(kind),
            queries=rows[kind],
            keys=columns[kind],
            query_specials=_specials(rows[kind]),
            key_specials=_specials(columns[kind]),
            read=trace.target_tokens if kind == "cross" else (),
        )
        for kind in trace.kinds
    ]


def _specials(tokens: Iterable[str]) -> tuple[bool, ...]:
    return tuple(token in SPECIALS for token in tokens)
