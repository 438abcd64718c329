"""Examples in three entries, from the sentence in view: the look-up of one head, what several heads find, LayerNorm.

The token spoken of is the longest one of the sentence. All numbers come from the trace of the sentence.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from model.analysis import residual_stream
from model.analysis.residual_stream import Side
from model.checkpoint.recording import Recording
from model.course.tokens import longest
from model.errors import InvalidInput
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun, sentence_of
from pages.shared.models.warmup import is_warm
from pages.shared.text.numbers import number
from pages.shared.text.words import words
from viz.numbers import percent

HEADS = 6  # named at most


class _Read(NamedTuple):
    """One side of a pass: its tokens, the position of one of them, and that token's weights (L, H, T)."""

    run: CurrentRun
    side: Side
    tokens: tuple[str, ...]
    at: int
    weights: np.ndarray


def live() -> dict[str, str]:
    """By term, a sentence about the sentence in view; nothing where the model cannot read it."""
    try:
        read = _read()
    except InvalidInput:  # the other pages say what is wrong with the model or the sentence
        return {}
    tellers: dict[str, Callable[[_Read], str]] = {"query": _lookup, "multi-head-attention": _heads, "layernorm": _norm}
    sentences = {term: tell(read) for term, tell in tellers.items()} if read else {}
    return {term: sentence for term, sentence in sentences.items() if sentence}


def _read() -> _Read | None:
    entry = current.entry()
    if entry is None or isinstance(entry, Recording):
        return None
    sentence = sentence_of(entry)
    from_recording = not is_warm() and sentence == entry.card["examples"][0] and models.example(entry) is not None
    run = CurrentRun(entry, sentence, from_recording)
    side = residual_stream.sides(run.trace.values)[0]
    tokens = run.trace.source_tokens if side == "encoder" else run.trace.target_tokens
    at = longest(tokens)
    return _Read(run, side, tokens, at, run.trace.weights(side)[:, :, at])


def _lookup(read: _Read) -> str:
    """The head in which the token reads most from another one."""
    most = read.weights.argmax(-1)  # (L, H)
    others = np.where(most == read.at, 0, read.weights.max(-1))
    if not others.any():  # each head reads the token itself most
        return ""
    layer, head = (int(place) for place in np.unravel_index(others.argmax(), others.shape))
    tokens = {"token": read.tokens[read.at], "other": read.tokens[most[layer, head]]}
    return words("glossary_live.lookup", layer=layer, head=head, share=percent(others.max()), **tokens)


def _heads(read: _Read) -> str:
    """Say which token each head of a layer reads most, in the layer whose heads differ most."""
    most = read.weights.argmax(-1)  # (L, H)
    layer = max(range(len(most)), key=lambda layer: len(set(most[layer])))
    if len(set(most[layer])) == 1:
        return ""
    looks = (
        words("glossary_live.look", head=head, other=read.tokens[other], share=percent(weights[other]))
        for head, (other, weights) in enumerate(zip(most[layer][:HEADS], read.weights[layer], strict=False))
    )
    return words(
        "glossary_live.heads", layer=layer, token=read.tokens[read.at], looks=words("glossary_live.and").join(looks)
    )


def _norm(read: _Read) -> str:
    """How widely the numbers of the token's vector are spread before the first LayerNorm, and before the last."""
    config = read.run.entry.config
    norms = residual_stream.norms(read.run.trace.values, read.side, config.norm, config.final_norm, config.parallel)
    if not norms:
        return ""
    first, last = (number(float(norms[place].x[read.at].std())) for place in (0, -1))
    return words("glossary_live.norm", token=read.tokens[read.at], first=first, last=last)
