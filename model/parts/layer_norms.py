"""The kinds of LayerNorm."""

import torch
from torch import Tensor, nn

from model.config import TransformerConfig


class TextbookLayerNorm(nn.Module):
    """γ (x − mean) / (std + ε) + β with the unbiased std: torch's result times √((d − 1) / d), nearly.

    torch divides by √(var + ε) with the biased variance.
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        return self.weight * centred / (x.std(dim=-1, keepdim=True) + self.eps) + self.bias


def layer_norm(config: TransformerConfig, size: int = 0) -> nn.Module:
    """The kind of LayerNorm that the config asks for. The RMS kind subtracts no mean and adds no bias."""
    size = size or config.d_model
    if config.norm_kind == "textbook":
        return TextbookLayerNorm(size)
    return (nn.RMSNorm if config.norm_kind == "rms" else nn.LayerNorm)(size, eps=config.norm_eps)
