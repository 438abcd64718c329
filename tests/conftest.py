"""Small models with fixed seeds; no test touches the network."""

from typing import Literal

import pytest
import torch

from model.config import TransformerConfig
from model.transformer import Transformer

torch.set_num_threads(1)


def tiny(
    norm: Literal["pre", "post"] = "post", *, final_norm: bool = False, tied: bool = False, seed: int = 0
) -> Transformer:
    """A model small enough to check number by number, its norms and biases away from their starting values."""
    torch.manual_seed(seed)
    config = TransformerConfig(
        source_vocabulary=23,
        target_vocabulary=23 if tied else 19,
        d_model=16,
        heads=2,
        encoder_layers=2,
        decoder_layers=2,
        d_ff=24,
        norm=norm,
        final_norm=final_norm,
        tied_embeddings="all" if tied else "none",
        max_length=64,
    )
    model = Transformer(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.2)
    return model


@pytest.fixture(params=["pre", "post"])
def model(request: pytest.FixtureRequest) -> Transformer:
    """A tiny model of each norm placement."""
    return tiny(request.param, final_norm=request.param == "pre")
