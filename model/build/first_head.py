"""The head that users see first."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from model.checkpoint.checkpoints import Checkpoint
from model.circuits.head_roles import alignment, deletion_falls
from model.decode.translate import Translation, translate
from model.tokenization.token_text import is_special
from model.trace import Trace

_DELETED = 15  # sentences whose words are deleted one by one


def first_look(checkpoint: Checkpoint, sentences: Sequence[str]) -> dict[str, Any]:
    """The head to show first: it follows the source best, or, in a decoder alone, what stood there before.

    In an encoder alone the very first. See `_follows`, `_aligns` and `_remembers`.
    """
    architecture = checkpoint.model.config.architecture
    if architecture == "encoder":
        return {"attention_kind": architecture, "layer": 0, "head": 0}
    runs = (translate(checkpoint, sentence) for sentence in sentences)  # one at a time: traces may be large
    if architecture == "encoder-decoder":
        first = [(_follows(run.trace), _aligns(checkpoint, run)) for run in islice(runs, _DELETED)]
        follows, aligned = map(sum, zip(*first, strict=True))
        kind, total = "cross", (follows + sum(_follows(run.trace) for run in runs)) * aligned
    else:
        kind, total = "decoder", sum(_remembers(run.trace) for run in runs)
    layer, head = np.unravel_index(np.argmax(total), np.shape(total))
    return {"attention_kind": kind, "layer": int(layer), "head": int(head)}


def _aligns(checkpoint: Checkpoint, run: Translation) -> np.ndarray:
    """The share of tokens in whose row each cross-attention head (L, H) looks most at the decisive source token.

    Without it, a head may be chosen that looks, while it writes a word, at what the word before was written from.
    """
    aligned = alignment(run, deletion_falls(checkpoint, run))
    return np.zeros(run.trace.weights("cross").shape[:2]) if aligned is None else aligned[0]


def _follows(trace: Trace) -> np.ndarray:
    """How well each cross-attention head (L, H) follows the source.

    The share of source words that are the strongest key of some step, times the mean weight that is not
    spent on special tokens.
    """
    words = np.array([not is_special(token) for token in trace.source_tokens])
    weights = trace.weights("cross")[..., words]  # (L, H, Q, K)
    strongest = weights.argmax(-1)  # (L, H, Q)
    coverage = (strongest[..., None] == np.arange(words.sum())).any(-2).mean(-1)  # (L, H)
    return coverage * weights.sum(-1).mean(-1)


def _remembers(trace: Trace) -> np.ndarray:
    """The mean weight that each head (L, H) gives to what followed the same two tokens before: induction."""
    tokens, weights = trace.target_tokens, trace.weights("decoder")
    total, count = np.zeros(weights.shape[:2]), 0
    for query in range(3, len(tokens)):
        repeats = [k for k in range(2, query) if tokens[k - 2 : k] == tokens[query - 1 : query + 1]]
        if repeats:
            total += weights[:, :, query, repeats].sum(-1)
            count += 1
    return total / max(1, count)
