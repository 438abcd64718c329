"""How a Transformer learns where a token stands: tables that are added, biases on the scores, rotations of q and k.

B batch, T tokens, Q queries, K keys, H heads, D numbers per head. Distances are key − query, in tokens.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from model.config import BUCKETS, FARTHEST


def sinusoidal_positions(length: int, d_model: int, base: float = 10_000.0, start: int = 0) -> Tensor:
    """The table of section 3.5 from position `start` on: sin in even columns, cos in odd ones, one frequency per pair.

    Returns (length, d_model), without unit, each entry in [-1, 1].
    """
    angle = torch.arange(start, start + length)[:, None] * frequencies(d_model, base)  # (length, d_model / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (length, d_model)


def frequencies(size: int, base: float, given: Sequence[float] = ()) -> Tensor:
    """Of each pair of `size` columns, rad per position, (size / 2): those of the paper, or those that are given."""
    return torch.tensor(given) if given else base ** (-torch.arange(0, size, 2) / size)


def rotated(x: Tensor, start: int, frequency: Tensor) -> Tensor:
    """Turn each pair of numbers by its token's position × the pair's frequency (RoFormer, Su et al. 2021).

    x (B, H, T, D), its first row at position `start`; frequency (D / 2) in rad per position, 0 for a pair that stays.
    The product of a rotated query and a rotated key depends on their distance only.
    """
    angle = torch.arange(start, start + x.size(-2))[:, None] * frequency  # (T, D / 2)
    sin, cos = angle.sin().to(x), angle.cos().to(x)
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)


def distances(start: int, queries: int, keys: int) -> Tensor:
    """Key − query for queries that begin at position `start` and keys from 0: (Q, K), in tokens."""
    return torch.arange(keys)[None, :] - torch.arange(start, start + queries)[:, None]


def buckets(distance: Tensor, *, both_ways: bool, count: int = BUCKETS, farthest: int = FARTHEST) -> Tensor:
    """T5's bucket of each distance (Raffel et al. 2020): one each for near keys, wider ones farther off.

    All distances from `farthest` tokens on share the last of `count` buckets. A decoder (not `both_ways`) has all
    buckets for what stands before the query; an encoder half for each direction.
    """
    offset = torch.zeros_like(distance)
    if both_ways:
        count //= 2
        offset = (distance > 0) * count
        far = distance.abs()
    else:
        far = (-distance).clamp(min=0)
    near = count // 2
    log_share = (far.clamp(min=1).float() / near).log() / math.log(farthest / near)
    wide = (near + (log_share * (count - near)).long()).clamp(max=count - 1)
    return offset + torch.where(far < near, far, wide)


def alibi_slopes(heads: int) -> Tensor:
    """The slope of each head (Press et al. 2022): a geometric series from 2^(−8 / H), for H a power of two; (H).

    Otherwise the series of the power of two below, and then every other slope of the next one.
    """
    whole = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (head + 1) / whole) for head in range(whole)]
    between = [2 ** (-4 * (head + 1) / whole) for head in range(0, 2 * whole, 2)]
    return torch.tensor([*slopes, *between][:heads])


class RelativeBias(nn.Module):
    """A learned number for each bucket of distance and each head, added to the scores of every layer (T5)."""

    def __init__(self, heads: int, both_ways: bool, count: int = BUCKETS, farthest: int = FARTHEST):
        super().__init__()
        self.both_ways, self.farthest = both_ways, farthest
        self.weight = nn.Parameter(torch.empty(count, heads))

    def forward(self, distance: Tensor) -> Tensor:
        """Distances (Q, K) to biases (1, H, Q, K)."""
        return self.weight[self.buckets(distance).to(self.weight.device)].permute(2, 0, 1)[None]

    def buckets(self, distance: Tensor) -> Tensor:
        """The row of the table for each distance."""
        return buckets(distance, both_ways=self.both_ways, count=len(self.weight), farthest=self.farthest)


class LinearBias(nn.Module):
    """ALiBi: a penalty that grows in proportion to the distance, with a fixed slope for each head."""

    slopes: Tensor

    def __init__(self, heads: int):
        super().__init__()
        self.register_buffer("slopes", alibi_slopes(heads), persistent=False)

    def forward(self, distance: Tensor) -> Tensor:
        """Distances (Q, K) to biases (1, H, Q, K)."""
        return -self.slopes[None, :, None, None] * distance.abs().to(self.slopes)
