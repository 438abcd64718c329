"""The similarity of the layers of two models: centred kernel alignment (CKA) of their residual streams.

n tokens, d and d′ the widths of two streams.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.analysis.residual_stream import SIDES, Side
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decode.translate import encode, translate_all
from model.edit.edited_pass import Edit, compose
from model.edit.recorded_names import residual
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS, EOS
from model.trace import Tap, silent
from model.transformer import Transformer

TOKENS = 1000  # at most so many tokens are compared; more tokens hardly change the result
Depths = dict[str, np.ndarray]  # `input` or the number of a layer -> (n, d)


@dataclass(frozen=True)
class Read:
    """The ids that encoder and decoder read for a sentence; empty for a side that the model lacks."""

    sentence: str
    source: tuple[int, ...]
    target: tuple[int, ...]


def cka(x: np.ndarray, y: np.ndarray) -> float:
    """Linear CKA of two views of the same tokens, (n, d) and (n, d′), each column centred; 0 … 1.

    ‖YᵀX‖²_F / (‖XᵀX‖_F ‖YᵀY‖_F), Kornblith et al. 2019, equation 5; NaN where a view is the same for all tokens.
    """
    return float(table({"": x}, {"": y})[0, 0])


def table(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> np.ndarray:
    """The CKA of every depth of one model with every depth of another, (depths, depths′)."""
    ours, theirs = ([_centred(view) for view in side.values()] for side in (first, second))
    own, other = ([float(np.linalg.norm(view.T @ view)) for view in side] for side in (ours, theirs))
    norms = np.outer(own, other)
    products = np.array([[np.linalg.norm(y.T @ x) for y in theirs] for x in ours], dtype=np.float64)
    return np.divide(products**2, norms, out=np.full(norms.shape, np.nan), where=norms > 0)


def _centred(view: np.ndarray) -> np.ndarray:
    """A view (n, d) whose columns have mean 0, scaled to length 1, in single precision, which is twice as fast."""
    centred = view.astype(np.float64) - view.mean(axis=0, dtype=np.float64)
    length = np.linalg.norm(centred)
    return (centred / length if length else centred).astype(np.float32)


def chance(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray], seed: int = 0) -> float:
    """The largest CKA of any two depths after the tokens of the second model were shuffled: the level of chance."""
    count = len(next(iter(first.values())))
    order = np.random.default_rng(seed).permutation(count)
    return float(np.nanmax(table(first, {depth: values[order] for depth, values in second.items()})))


def common(first: TransformerConfig, second: TransformerConfig) -> tuple[Side, ...]:
    """The sides that read the same tokens in both models: a decoder alone reads the sentence, others a translation."""
    architectures = {first.architecture, second.architecture}
    if architectures == {"encoder-decoder"}:
        return "encoder", "decoder"
    if architectures == {"decoder"}:
        return ("decoder",)
    return () if "decoder" in architectures else ("encoder",)


def reads(checkpoint: Checkpoint, other: Checkpoint, sentences: Iterable[str]) -> list[Read]:
    """Ids that both models read for each sentence, up to TOKENS tokens in total.

    The decoder of an encoder-decoder reads the translation by the first model. Sentences that one of the models
    cannot read are left out.
    """
    sides = common(checkpoint.model.config, other.model.config)
    readable = _readable(checkpoint, other, sentences)
    sources = [tuple(encode(checkpoint, sentence)) for sentence in readable]
    if sides != SIDES:
        ids_of_one_side = [(ids, ()) if sides == ("encoder",) else ((), ids[:-1]) for ids in sources if sides]
        return [Read(text, *ids) for text, ids in zip(readable, ids_of_one_side, strict=False)]
    longest = min(model.config.max_length for model in (checkpoint.model, other.model))
    texts = translate_all(checkpoint, readable)
    targets = [tuple([BOS, *checkpoint.tokenizer.target_pieces(text)][:longest]) for text in texts]
    return [Read(*reading) for reading in zip(readable, sources, targets, strict=True)]


def _readable(checkpoint: Checkpoint, other: Checkpoint, sentences: Iterable[str]) -> list[str]:
    readable: list[str] = []
    count = 0
    for sentence in dict.fromkeys(sentences):
        try:
            length = max(len(encode(model, sentence)) for model in (checkpoint, other))
        except InvalidInput:
            continue
        if count + length > TOKENS:
            break
        readable.append(sentence)
        count += length
    return readable


def streams(
    checkpoint: Checkpoint, sides: Sequence[Side], read: Sequence[Read], edits: Sequence[Edit] = ()
) -> dict[Side, Depths]:
    """The residual stream of each side at each depth, over all tokens that were read, without the special ones."""
    model, parts = checkpoint.model, dict[tuple[Side, str], list[np.ndarray]]()
    names = {residual(side, depth): (side, depth) for side in sides for depth in depths(model.config, side)}
    for batch in _alike_long(read):
        values: dict[str, Tensor] = {}
        source = torch.tensor([reading.source for reading in batch]) if batch[0].source else None
        # forward needs a target even where only the encoder's stream is wanted
        target = torch.tensor([reading.target or (BOS,) for reading in batch]) if model.decoder else None
        with torch.inference_mode(), suppress(_Enough):
            model(source, target, tap=_keeping(values, names, model, edits))
        for name, (side, depth) in names.items():
            ids = torch.tensor([reading.source if side == "encoder" else reading.target for reading in batch])  # (B, T)
            words = (ids != BOS) & (ids != EOS)
            parts.setdefault((side, depth), []).append(values[name][words].numpy())
    return {side: {depth: np.concatenate(parts[side, depth]) for depth in depths(model.config, side)} for side in sides}


class _Enough(Exception):
    """Everything wanted of a pass is recorded."""


def _keeping(values: dict[str, Tensor], names: Collection[str], model: Transformer, edits: Sequence[Edit]) -> Tap:
    edit = compose(model, *edits) if edits else silent

    def tap(name: str, value: Tensor) -> Tensor:
        value = edit(name, value)
        if name in names:
            values[name] = value.cpu()
        if len(values) == len(names):
            raise _Enough  # the output layer would take half of the pass
        return value

    return tap


def _alike_long(read: Sequence[Read]) -> list[list[Read]]:
    """Grouped by lengths, so that a batch needs no padding."""
    groups: dict[tuple[int, int], list[Read]] = {}
    for reading in read:
        groups.setdefault((len(reading.source), len(reading.target)), []).append(reading)
    return list(groups.values())


def depths(config: TransformerConfig, side: Side) -> list[str]:
    """The depths where the stream of a side is compared: the input, and after each layer."""
    return ["input", *map(str, range(config.layers(side)))]
