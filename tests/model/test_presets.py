"""The facts of each system, and its order of sublayers written down once more from the formulas."""

import dataclasses
import math

import pytest
import torch
from torch import Tensor, nn

from model import presets
from model.checkpoint import checkpoints
from model.config import TransformerConfig
from model.errors import InvalidInput
from model.initial_weights import count_parameters
from model.parts.layer_norms import TextbookLayerNorm
from model.trace import Recorder
from model.transformer import Transformer
from tests.conftest import tiny
from tests.model.test_transformer_reference import CLOSE, copy_attention, copy_rest

SMALL = {"d_model": 16, "heads": 2, "d_ff": 24}


def small(name: str, **changes: object) -> Transformer:
    """A preset at a size that can be checked by hand, its norms and biases away from their starting values."""
    config = presets.find(name).config
    sizes: dict[str, object] = dict(SMALL) | {
        f"{s}_layers": min(2, getattr(config, f"{s}_layers")) for s in ("encoder", "decoder")
    }
    model = checkpoints.random_model(
        dataclasses.replace(presets.with_vocabulary(config, 30), **(sizes | changes)), seed=1
    )
    torch.manual_seed(2)
    for parameter in model.parameters():
        if parameter.dim() == 1:
            parameter.add_(torch.randn_like(parameter) * 0.2)
    return model


def test_mini_encoder() -> None:
    model = checkpoints.random_model(presets.find("mini-encoder").config, seed=0)
    ids = torch.tensor([[3, 1, 7]])
    output = model(ids, None, torch.ones_like(ids, dtype=torch.bool))
    assert output.shape == (1, 3, 16)
    torch.testing.assert_close(output.mean(-1), torch.zeros(1, 3), atol=1e-5, rtol=0)
    torch.testing.assert_close(output.var(-1, unbiased=False), torch.ones(1, 3), atol=1e-3, rtol=0)


def test_odd_width_is_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidInput, match="even number") as error:
        TransformerConfig(architecture="encoder", source_vocabulary=50, decoder_layers=0, d_model=15, heads=1)
    assert error.value.code == "config_odd"


def test_paper_parameters() -> None:
    with torch.device("meta"):
        parts = count_parameters(Transformer(presets.find("paper").config))
    assert parts["total"] == 63_082_496
    assert parts["total"] - parts["source_embedding"] == 44_138_496


def test_notebook_has_no_projection_bias_and_a_zero_padding_row() -> None:
    model = checkpoints.random_model(presets.find("notebook").config, seed=0)
    assert not any(name.endswith((".q.bias", ".k.bias", ".v.bias")) for name, _ in model.named_parameters())
    assert (model.source_embedding.weight[0] == 0).all()
    assert (model.output.bias == 0).all()
    assert len(model.encoder) == len(model.decoder) == 6


def test_the_families_keep_a_side_each_or_both() -> None:
    sides_of = {"bert": ("encoder",), "gpt": ("decoder",), "t5": ("encoder", "decoder")}
    for name, sides in sides_of.items():
        model = small(name)
        assert tuple(side for side in ("encoder", "decoder") if len(getattr(model, side))) == sides
        attends = [layer.cross_attention is not None for layer in model.decoder]
        assert attends == [name == "t5"] * len(attends)


def test_t5_has_no_bias_and_one_table() -> None:
    model = checkpoints.random_model(presets.find("t5").config, seed=0)
    parameters = dict(model.named_parameters())
    assert not [name for name in parameters if name.endswith("bias") and "norm" not in name]
    assert model.source_embedding.weight is model.target_embedding.weight is model.output.weight
    assert "output.weight" not in parameters
    # 4 layers of 4 d² + 8 d² and as many with cross-attention, a γ and β per norm, one table
    d = 128
    assert sum(value.numel() for value in parameters.values()) == 3600 * d + 4 * (28 * d * d + 5 * 2 * d) + 2 * 2 * d


def test_textbook_norm_differs_from_torch_by_the_stated_factor() -> None:
    torch.manual_seed(0)
    x = torch.randn(5, 64)
    ratio = TextbookLayerNorm(64)(x) / nn.LayerNorm(64, eps=0)(x)
    torch.testing.assert_close(ratio, torch.full_like(ratio, math.sqrt(63 / 64)), atol=1e-4, rtol=1e-4)


def test_forecaster_sees_no_future() -> None:
    model = small("forecaster", heads=2)
    numbers = torch.randn(1, 6)
    mask = torch.ones(1, 6, dtype=torch.bool)
    new = numbers.clone()
    new[0, 4:] += 1
    before, after = model(numbers, None, mask), model(new, None, mask)
    assert before.shape == (1, 6, 1)
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert not torch.allclose(before[:, 4:], after[:, 4:])


@pytest.mark.parametrize("name", list(presets.PRESETS))
def test_same_seed_same_weights(name: str) -> None:
    first, again, other = (small(name), small(name), checkpoints.random_model(small(name).config, seed=9))
    pairs = list(zip(first.state_dict().values(), again.state_dict().values(), strict=True))
    assert all(torch.equal(a, b) for a, b in pairs)
    assert any(
        not torch.equal(a, b) for a, b in zip(first.state_dict().values(), other.state_dict().values(), strict=True)
    )


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_encoder_alone_equals_torch(norm: str, causal: bool) -> None:
    model = small(
        "bert", norm=norm, position="sinusoidal", causal_encoder=causal, target_vocabulary=0, tied_embeddings="none"
    )
    layer = nn.TransformerEncoderLayer(16, 2, 24, 0.0, "gelu", batch_first=True, norm_first=norm == "pre")
    reference = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    with torch.no_grad():
        for ours, theirs in zip(model.encoder, reference.layers, strict=True):
            copy_attention(ours.self_attention, theirs.self_attn)
            copy_rest(ours, theirs)
    ids = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0]])
    mask = ids != 0
    x = model.source_embedding(ids) + model.sinusoids[:4]
    future = torch.ones(4, 4, dtype=torch.bool).triu(1) if causal else None
    expected = reference(x, mask=future, src_key_padding_mask=~mask)
    torch.testing.assert_close(model(ids, None, mask)[mask], expected[mask], **CLOSE)


def test_all_heads_equal_torch_multihead_attention() -> None:
    model = tiny("post")
    attention = nn.MultiheadAttention(16, 2, batch_first=True).eval()
    with torch.no_grad():
        copy_attention(model.encoder[0].self_attention, attention)
    recorder = Recorder()
    ids = torch.tensor([[4, 5, 6, 7]])
    model.encode(ids, torch.ones_like(ids, dtype=torch.bool), recorder)
    x = torch.from_numpy(recorder.values["encoder.input"])[None]
    output, weights = attention(x, x, x, average_attn_weights=False)
    torch.testing.assert_close(
        torch.from_numpy(recorder.values["encoder.0.self_attention.weights"]), weights[0].detach(), **CLOSE
    )
    torch.testing.assert_close(
        torch.from_numpy(recorder.values["encoder.0.self_attention.output"]), output[0].detach(), **CLOSE
    )


def torch_norm(x: Tensor, norm: nn.Module) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    return norm.weight * centred / (x.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt() + norm.bias


def textbook_norm(x: Tensor, norm: nn.Module) -> Tensor:
    return norm.weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + norm.bias


def by_formula(model: Transformer, source: Tensor, target: Tensor) -> Tensor:
    """The whole pass from the formulas of the system, sharing nothing with `model/` but the weights."""
    config = model.config
    norm = textbook_norm if config.norm_kind == "textbook" else torch_norm

    def affine(layer: nn.Linear, x: Tensor) -> Tensor:
        return x @ layer.weight.T + (layer.bias if layer.bias is not None else 0)

    def multi_head(attention: nn.Module, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        heads = []
        size = config.d_model // config.heads
        q, k, v = affine(attention.q, x), affine(attention.k, memory), affine(attention.v, memory)
        for head in range(config.heads):
            part = slice(head * size, (head + 1) * size)
            scores = q[:, part] @ k[:, part].T / math.sqrt(size)
            if causal:
                scores = scores + torch.full_like(scores, -1e9).triu(1)
            heads.append(torch.softmax(scores, -1) @ v[:, part])
        return affine(attention.output, torch.cat(heads, -1))

    def feed_forward(layer: nn.Module, x: Tensor) -> Tensor:
        hidden = affine(layer.hidden, x)
        hidden = hidden.clamp(min=0) if config.activation == "relu" else nn.functional.gelu(hidden)
        return affine(layer.output, hidden)

    def sublayer(residual: nn.Module, x: Tensor, function) -> Tensor:
        return x + function(norm(x, residual.norm)) if config.norm == "pre" else norm(x + function(x), residual.norm)

    def embed(table: nn.Embedding, ids: Tensor) -> Tensor:
        e = table.weight[ids] * (math.sqrt(config.d_model) if config.scale_embedding else 1)
        for position in range(len(ids)):
            for i in range(config.d_model // 2):
                angle = torch.tensor(position / 10000 ** (2 * i / config.d_model))
                e[position, 2 * i] += angle.sin()
                e[position, 2 * i + 1] += angle.cos()
        return e

    x = embed(model.source_embedding, source)
    for layer in model.encoder:
        x = sublayer(layer.residuals[0], x, lambda y, part=layer.self_attention: multi_head(part, y, y, False))
        x = sublayer(layer.residuals[1], x, lambda y, part=layer.feed_forward: feed_forward(part, y))
    memory = norm(x, model.encoder_norm) if config.final_norm else x
    x = embed(model.target_embedding, target)
    for layer in model.decoder:
        x = sublayer(layer.residuals[0], x, lambda y, part=layer.self_attention: multi_head(part, y, y, True))
        x = sublayer(layer.residuals[1], x, lambda y, part=layer.cross_attention: multi_head(part, y, memory, False))
        x = sublayer(layer.residuals[2], x, lambda y, part=layer.feed_forward: feed_forward(part, y))
    x = norm(x, model.decoder_norm) if config.final_norm else x
    return affine(model.output, x)


@pytest.mark.parametrize("name", ["paper", "pre-norm", "notebook", "textbook"])
def test_order_of_sublayers_and_gradients(name: str) -> None:
    model = small(name).requires_grad_(True)
    source, target = torch.tensor([4, 5, 6]), torch.tensor([1, 7, 8, 9])
    logits = model(source[None], target[None], torch.ones(1, 3, dtype=torch.bool))[0]
    expected = by_formula(model, source, target)
    torch.testing.assert_close(logits, expected, **CLOSE)
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    ours = torch.autograd.grad(logits.square().sum(), parameters, retain_graph=True, allow_unused=True)
    theirs = torch.autograd.grad(expected.square().sum(), parameters, allow_unused=True)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b, atol=1e-3, rtol=1e-4)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"heads": 3}, ("d_model", "heads")),
        ({"encoder_layers": 0}, ("architecture", "encoder_layers")),
        ({"norm": "none", "final_norm": True}, ("norm", "final_norm")),
        ({"inputs": "numbers"}, ("inputs", "source_vocabulary")),
        ({"target_vocabulary": 9, "tied_embeddings": "all"}, ("source_vocabulary", "target_vocabulary")),
        ({"norm": "sandwich"}, ("norm", "pre, post, none")),
        ({"causal_encoder": True}, ("causal_encoder", "architecture")),
        ({"parallel": True}, ("parallel", "norm")),
        ({"unrotated": [1]}, ("unrotated", "position")),
        ({"windows": [1]}, ("windows", "6 numbers")),
        ({"windows": [1, "x"]}, ("windows", "6 numbers")),
        ({"frequencies": [1e9], "position": "rotary"}, ("frequencies", "numbers from")),
    ],
)
def test_conflicts_name_both_fields(changes: dict[str, object], named: tuple[str, str]) -> None:
    fitting: dict[str, object] = {"source_vocabulary": 8, "target_vocabulary": 8} | SMALL
    with pytest.raises(InvalidInput) as error:
        TransformerConfig(**(fitting | changes))  # type: ignore[arg-type]
    assert all(name in str(error.value) for name in named)


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({"first_output_token": 8}, 7),
        ({"first_output_token": 1, "architecture": "encoder", "decoder_layers": 0, "target_vocabulary": 0}, 0),
        ({"max_length": 8193}, 8192),
        ({"encoder_layers": 1025}, 1024),
    ],
)
def test_a_number_beyond_its_bound_is_refused_with_the_bound(changes: dict[str, object], limit: int) -> None:
    fitting: dict[str, object] = {"source_vocabulary": 8, "target_vocabulary": 8, "first_output_token": 7} | SMALL
    TransformerConfig(**fitting)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput) as error:
        TransformerConfig(**(fitting | changes))  # type: ignore[arg-type]
    assert str(error.value) == f"{next(iter(changes))} is {next(iter(changes.values()))}: give at most {limit}."


def test_an_untrained_model_does_not_disturb_the_random_numbers_of_others() -> None:
    config = small("gpt").config
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    checkpoints.random_model(config, seed=1)
    assert torch.equal(torch.rand(3), expected)
