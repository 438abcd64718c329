"""Keys and values that a decoding run keeps from step to step. B batch, H heads, K keys, D numbers per head."""

import torch
from torch import Tensor


class KeyValues:
    """Keys and values that one attention has already computed, owned by one decoding run."""

    def __init__(self, *, grows: bool):
        self.grows = grows  # self-attention adds a row each step, cross-attention keeps its first
        self.k: Tensor | None = None
        self.v: Tensor | None = None

    def add(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Append along the key axis and return everything so far, (B, H, K, D) each."""
        self.k = k if self.k is None else torch.cat([self.k, k], dim=2)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=2)
        return self.k, self.v


class LayerCache:
    """Keys and values that one decoder layer keeps from step to step."""

    def __init__(self) -> None:
        self.self_attention = KeyValues(grows=True)
        self.cross_attention = KeyValues(grows=False)
