"""Test for leakage: how far each output moves when a token is changed or padding added, with masks and without.

T steps (tokens that the decoder reads, or an encoder alone), V vocabulary. An edit takes a mask away, so
both passes have the same weights and the same shapes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from model.decode.recorded_pass import one_pass
from model.edit.edited_pass import compose
from model.edit.edits import allow
from model.tokenization.tokenizer import PAD
from model.transformer import Transformer


@dataclass(frozen=True)
class Moved:
    """How far the output of each step moved, and the likeliest token there before and after.

    change          (T) largest |Δ logit| of the step; of a model without logits, largest |Δ output|
    before, after   (T) ids; empty for a model without logits
    """

    change: np.ndarray
    before: tuple[int, ...]
    after: tuple[int, ...]


def change_word(
    model: Transformer, source: Sequence[int], target: Sequence[int], at: int, token: int, *, causal: bool = True
) -> Moved:
    """Put `token` in place `at` of what the decoder reads; of an encoder alone, of what it reads.

    causal    false takes the causal mask away; an encoder has none to take
    """
    edits = () if causal or not target else (allow("decoder.*.self_attention"),)
    original = list(target or source)
    new = [*original[:at], token, *original[at + 1 :]]
    read = [(source if target else ids, ids if target else ()) for ids in (original, new)]
    return _moved(model, *(one_pass(model, *both, compose(model, *edits)) for both in read))


def add_padding(
    model: Transformer, source: Sequence[int], target: Sequence[int], count: int, *, masked: bool = True
) -> Moved:
    """Read the sentence alone, and beside a neighbour that is `count` tokens longer, so that padding is added.

    masked    false lets the padding be seen, in the encoder and in cross-attention. A decoder alone has no
              padding mask: what is added stands at the end of its target, where the causal mask hides it.
    """
    alone = one_pass(model, source, target)
    if source and masked:
        beside = one_pass(model, source, target, padding=count)
    elif source:
        beside = one_pass(model, [*source, *[PAD] * count], target)
    else:
        beside = one_pass(model, (), [*target, *[PAD] * count])
    return _moved(model, alone, beside[: len(alone)])


def _moved(model: Transformer, before: Tensor, after: Tensor) -> Moved:
    change = (before - after).abs().amax(dim=-1).numpy()  # (T)
    if not model.config.target_vocabulary:
        return Moved(change, (), ())
    first, second = (tuple(logits.argmax(dim=-1).tolist()) for logits in (before, after))
    return Moved(change, first, second)
