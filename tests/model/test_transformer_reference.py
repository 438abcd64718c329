"""The model held against torch's own modules, and against numbers worked by hand."""

import math

import pytest
import torch
from torch import nn

from model.initial_weights import count_parameters
from model.position_methods import sinusoidal_positions
from model.transformer import MultiHeadAttention, Transformer, attention
from tests.conftest import tiny

CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def reference(model: Transformer) -> nn.Transformer:
    """torch's own encoder-decoder with the weights of `model`."""
    config = model.config
    torch_model = nn.Transformer(
        config.d_model,
        config.heads,
        config.encoder_layers,
        config.decoder_layers,
        config.d_ff,
        dropout=0.0,
        batch_first=True,
        norm_first=config.norm == "pre",
    ).eval()
    with torch.no_grad():
        for ours, theirs in zip(model.encoder, torch_model.encoder.layers, strict=True):
            copy_attention(ours.self_attention, theirs.self_attn)
            copy_rest(ours, theirs)
        for ours, theirs in zip(model.decoder, torch_model.decoder.layers, strict=True):
            copy_attention(ours.self_attention, theirs.self_attn)
            copy_attention(ours.cross_attention, theirs.multihead_attn)
            copy_rest(ours, theirs)
        for ours, stack in ((model.encoder_norm, torch_model.encoder), (model.decoder_norm, torch_model.decoder)):
            if config.final_norm:
                stack.norm.load_state_dict(ours.state_dict())
            else:
                stack.norm = None
    return torch_model


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    projections = (ours.q, ours.k, ours.v)
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in projections]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in projections]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def copy_rest(ours: nn.Module, theirs: nn.Module) -> None:
    theirs.linear1.load_state_dict(ours.feed_forward.hidden.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.output.state_dict())
    for number, residual in enumerate(ours.residuals, 1):
        getattr(theirs, f"norm{number}").load_state_dict(residual.norm.state_dict())


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("final_norm", [True, False])
def test_equals_torch_transformer_with_padding_in_the_batch(norm: str, final_norm: bool) -> None:
    model = tiny(norm, final_norm=final_norm)
    source = torch.tensor([[1, 5, 6, 7, 2], [1, 8, 2, 0, 0]])
    target = torch.tensor([[1, 4, 9, 3], [1, 4, 0, 0]])
    mask = source != 0
    hidden = []
    model(
        source, target, mask, lambda name, value: hidden.append(value) or value if name == "decoder.output" else value
    )

    def embed(table: nn.Embedding, ids: torch.Tensor) -> torch.Tensor:
        return table(ids) * math.sqrt(16) + model.sinusoids[: ids.size(1)]

    expected = reference(model)(
        embed(model.source_embedding, source),
        embed(model.target_embedding, target),
        tgt_mask=torch.ones(4, 4, dtype=torch.bool).triu(1),
        src_key_padding_mask=~mask,
        memory_key_padding_mask=~mask,
    )
    torch.testing.assert_close(hidden[0], expected, **CLOSE)


def test_attention_equals_the_fused_function() -> None:
    torch.manual_seed(1)
    q, k, v = torch.randn(2, 3, 4, 8), torch.randn(2, 3, 6, 8), torch.randn(2, 3, 6, 8)
    mask = torch.rand(2, 1, 4, 6) > 0.3
    mask[..., 0] = True
    expected = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(attention(q, k, v, mask, nn.Identity()), expected, **CLOSE)


def test_positions_by_hand() -> None:
    table = sinusoidal_positions(3, 4, base=100.0)
    by_hand = torch.tensor(
        [
            [0, 1, 0, 1],
            [math.sin(1), math.cos(1), math.sin(0.1), math.cos(0.1)],
            [math.sin(2), math.cos(2), math.sin(0.2), math.cos(0.2)],
        ]
    )
    torch.testing.assert_close(table, by_hand)
    long = sinusoidal_positions(500, 512)
    torch.testing.assert_close(long.square().sum(-1), torch.full((500,), 256.0))  # d_model / 2 in every row


def test_parameters_of_the_paper_by_hand() -> None:
    model = tiny("post", tied=True)
    d, ff, vocabulary = 16, 24, 23
    attention_, feed_forward, norm = 4 * (d * d + d), d * ff + ff + ff * d + d, 2 * d
    expected = {
        "source_embedding": vocabulary * d,
        "encoder": 2 * (attention_ + feed_forward + 2 * norm),
        "decoder": 2 * (2 * attention_ + feed_forward + 3 * norm),
    }
    assert count_parameters(model) == {**expected, "total": sum(expected.values())}
