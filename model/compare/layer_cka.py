"""How alike the layers of two models are: centred kernel alignment (CKA) of their residual streams.

n tokens, d and d′ the widths of two streams.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.checkpoint.load import Checkpoint
from model.config import TransformerConfig
from model.decode.translate import encode, translate_all
from model.edit.edits import Edit, Side, compose
from model.edit.notation import residual
from model.errors import InvalidInput
from model.tokenizer import BOS, EOS
from model.trace import Tap, silent
from model.transformer import Transformer

SIDES: tuple[Side, ...] = ("encoder", "decoder")
TOKENS = 1000  # about as many as are compared; more would only take longer
Places = dict[str, np.ndarray]  # `input` or the number of a layer -> (n, d)


@dataclass(frozen=True)
class Read:
    """What a pass reads of a sentence: the ids of encoder and decoder, each empty where the model has no such side."""

    sentence: str
    source: tuple[int, ...]
    target: tuple[int, ...]


def cka(x: np.ndarray, y: np.ndarray) -> float:
    """Linear CKA of two views of the same tokens, (n, d) and (n, d′), each column centred; 0 … 1.

    ‖YᵀX‖²_F / (‖XᵀX‖_F ‖YᵀY‖_F), Kornblith et al. 2019, equation 5; NaN where a view is the same for all tokens.
    """
    x, y = (view.astype(np.float64) - view.mean(axis=0, dtype=np.float64) for view in (x, y))
    own = np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y)
    return float(np.linalg.norm(y.T @ x) ** 2 / own) if own else float("nan")


def table(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> np.ndarray:
    """The CKA of every place of one model with every place of another, (places, places′)."""
    return np.array([[cka(x, y) for y in other.values()] for x in one.values()])


def chance(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray], seed: int = 0) -> float:
    """The greatest CKA of any two places when one model's tokens are shuffled: what chance gives."""
    count = len(next(iter(one.values())))
    order = np.random.default_rng(seed).permutation(count)
    return float(np.nanmax(table(one, {place: values[order] for place, values in other.items()})))


def common(one: TransformerConfig, other: TransformerConfig) -> tuple[Side, ...]:
    """The sides of two models that read the same tokens: a decoder alone reads the sentence, others a translation."""
    both = {one.architecture, other.architecture}
    if both == {"encoder-decoder"}:
        return "encoder", "decoder"
    if both == {"decoder"}:
        return ("decoder",)
    return () if "decoder" in both else ("encoder",)


def reads(checkpoint: Checkpoint, other: Checkpoint, sentences: Iterable[str]) -> list[Read]:
    """What both models read of the sentences, as many as come to about TOKENS tokens.

    A decoder beside an encoder reads what the first model translates; a sentence that either cannot read is left out.
    """
    sides = common(checkpoint.model.config, other.model.config)
    chosen = _readable(checkpoint, other, sentences)
    sources = [tuple(encode(checkpoint, sentence)) for sentence in chosen]
    if sides != SIDES:
        alone = [(ids, ()) if sides == ("encoder",) else ((), ids[:-1]) for ids in sources if sides]
        return [Read(text, *ids) for text, ids in zip(chosen, alone, strict=False)]
    longest = min(one.model.config.max_length for one in (checkpoint, other))
    texts = translate_all(checkpoint, chosen)
    targets = [tuple(checkpoint.tokenizer.encode(text)[:-1][:longest]) for text in texts]
    return [Read(*one) for one in zip(chosen, sources, targets, strict=True)]


def _readable(checkpoint: Checkpoint, other: Checkpoint, sentences: Iterable[str]) -> list[str]:
    chosen: list[str] = []
    count = 0
    for sentence in dict.fromkeys(sentences):
        try:
            length = max(len(encode(one, sentence)) for one in (checkpoint, other))
        except InvalidInput:
            continue
        if count + length > TOKENS:
            break
        chosen.append(sentence)
        count += length
    return chosen


def streams(
    checkpoint: Checkpoint, sides: Sequence[Side], read: Sequence[Read], edits: Sequence[Edit] = ()
) -> dict[Side, Places]:
    """The residual stream of each side at each place, over the words of all that is read; specials are left out."""
    model, parts = checkpoint.model, dict[tuple[Side, str], list[np.ndarray]]()
    names = {residual(side, place): (side, place) for side in sides for place in places(model.config, side)}
    for batch in _alike_long(read):
        kept: dict[str, Tensor] = {}
        source = torch.tensor([one.source for one in batch]) if batch[0].source else None
        # where only the encoder is asked for, its decoder has to read something
        target = torch.tensor([one.target or (BOS,) for one in batch]) if model.decoder else None
        with torch.inference_mode():
            model(source, target, None if source is None else masks.real(source), _keeping(kept, names, model, edits))
        for name, (side, place) in names.items():
            ids = torch.tensor([one.source if side == "encoder" else one.target for one in batch])  # (B, T)
            words = (ids != BOS) & (ids != EOS)
            parts.setdefault((side, place), []).append(kept[name][words].numpy())
    return {side: {place: np.concatenate(parts[side, place]) for place in places(model.config, side)} for side in sides}


def _keeping(kept: dict[str, Tensor], names: Container[str], model: Transformer, edits: Sequence[Edit]) -> Tap:
    edited = compose(model, *edits) if edits else silent

    def tap(name: str, value: Tensor) -> Tensor:
        value = edited(name, value)
        if name in names:
            kept[name] = value
        return value

    return tap


def _alike_long(read: Sequence[Read]) -> list[list[Read]]:
    """Those of the same lengths together: a batch of them needs no padding."""
    groups: dict[tuple[int, int], list[Read]] = {}
    for one in read:
        groups.setdefault((len(one.source), len(one.target)), []).append(one)
    return list(groups.values())


def places(config: TransformerConfig, side: Side) -> list[str]:
    """Where the stream of a side is looked at: as it enters, and behind each layer."""
    return ["input", *map(str, range(getattr(config, f"{side}_layers")))]
