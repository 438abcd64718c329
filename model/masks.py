"""Attention masks from token ids: padding, causal, decoder self, and cross.

B batch, Q queries, K keys (S of the source, T of the target). Masks are boolean, true where a query
may attend, and broadcast to scores (B, H, Q, K). A query that may attend to nothing has no softmax
(NaN with −∞, meaningless uniform weights with −1e9), so a mask with such a row is refused.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.tokenization.tokenizer import PAD


def padded(sentences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Ids (B, T) filled up with `<pad>`, and the mask (B, T), true on real tokens."""
    longest = max(map(len, sentences))
    ids = torch.tensor([[*sentence, *[PAD] * (longest - len(sentence))] for sentence in sentences])
    return ids, real(ids)


def real(ids: Tensor, pad: int = PAD) -> Tensor:
    """(B, K) from ids (B, K): true on real tokens, false on padding."""
    return ids != pad


def everything(ids: Tensor) -> Tensor:
    """(B, K) from ids (B, K): true throughout, padding too."""
    return torch.ones_like(ids, dtype=torch.bool)


def over_keys(visible: Tensor) -> Tensor:
    """(B, 1, 1, K) from (B, K): every query may attend to the keys where it is true."""
    return visible[:, None, None, :]


def encoder_self(visible: Tensor, *, is_causal: bool) -> Tensor:
    """(B, 1, 1, S), or (B, 1, S, S) in a causal encoder, from (B, S): true on the keys that may be seen."""
    mask = over_keys(visible)
    return mask & causal(visible.size(1), device=visible.device) if is_causal else mask


def padding(ids: Tensor, pad: int = PAD) -> Tensor:
    """(B, 1, 1, K) from ids (B, K): every query may attend to every key that is not padding.

    Encoder self-attention has this mask. Raises `InvalidInput` for a sentence of padding alone.
    """
    return checked(over_keys(real(ids, pad)))


def causal(queries: int, start: int = 0, device: torch.device | None = None, window: int = 0) -> Tensor:
    """(1, 1, Q, K), K = start + Q: a query may attend to its own key and those before it, never the future.

    `start` keys are already cached, so the queries are the last Q of K positions. With a window, a query sees so many
    keys at most, its own among them.
    """
    seen = torch.ones(queries, start + queries, dtype=torch.bool, device=device).tril(start)
    return (seen.triu(start + 1 - window) if window else seen)[None, None]


def decoder_self(target: Tensor, pad: int = PAD) -> Tensor:
    """(B, 1, T, T) from target ids (B, T): causal AND not padding.

    Raises `InvalidInput` where padding comes first: a query there would see itself alone, and it is hidden.
    """
    return checked(causal(target.size(1), device=target.device) & over_keys(real(target, pad)))


def cross(source: Tensor, pad: int = PAD) -> Tensor:
    """(B, 1, 1, S) from source ids (B, S): the source's padding, never causal, since all of it is known."""
    return padding(source, pad)


def seen(masked_scores: Tensor, fill: float) -> Tensor:
    """The mask that a pass applied, read off its masked scores: true where a score is not the fill.

    fill is −∞ or −1e9, the model's own.
    """
    return masked_scores > fill / 2


def weights(scores: Tensor, mask: Tensor, fill: float) -> Tensor:
    """softmax of scores (…, K) with `fill` where the mask (…, K) is false: equation 1 for one choice of fill.

    A row without a key is NaN with −∞, and uniform, 1 / K, with −1e9.
    """
    return scores.masked_fill(~mask, fill).softmax(dim=-1)


def checked(mask: Tensor) -> Tensor:
    """The mask itself, (…, Q, K), or `InvalidInput`: it is not boolean, or a row of it is false throughout.

    A refusal counts sentences and queries from 1.
    """
    if mask.dtype != torch.bool:
        raise InvalidInput("mask_kind", found=str(mask.dtype).removeprefix("torch."))
    empty = (~mask.any(dim=-1)).nonzero()  # (rows without a key, axes before K)
    if len(empty):
        first = empty[0].tolist()
        raise InvalidInput("mask_row", sentence=first[0] + 1 if len(first) > 1 else 1, query=first[-1] + 1)
    return mask
