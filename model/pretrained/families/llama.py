"""Llama, TinyLlama, SmolLM, Qwen2 and Mistral: decoders alone with rotary positions, RMSNorm and a gated SiLU."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.pretrained.converted import ACTIVATIONS, LONGEST, Converted, Fields
from model.pretrained.tensors import Tensors


def llama(fields: Fields, tensors: Tensors) -> Converted:
    """Rotary positions turn pairs that stand half a head apart there, and side by side here.

    The order of a head's dimensions is arbitrary, so the rows of q and k change places. Where only q, k and v have a
    bias (Qwen2), the output gets one of zeros.
    """
    d, vocabulary = fields.count("hidden_size"), fields.count("vocab_size")
    heads, layers = fields.count("num_attention_heads"), fields.count("num_hidden_layers")
    head_size = fields.get("head_dim") or d // heads
    bias = "model.layers.0.self_attn.q_proj.bias" in tensors
    tied = "lm_head.weight" not in tensors or bool(fields.get("tie_word_embeddings", False))
    config: dict[str, Any] = {
        "architecture": "decoder",
        "target_vocabulary": vocabulary,
        "d_model": d,
        "heads": heads,
        "head_size": head_size if head_size * heads != d else 0,
        "key_value_heads": fields.get("num_key_value_heads", heads),
        "encoder_layers": 0,
        "decoder_layers": layers,
        "d_ff": fields.count("intermediate_size"),
        "norm": "pre",
        "norm_kind": "rms",
        "norm_eps": float(fields.get("rms_norm_eps", 1e-6)),
        "final_norm": True,
        "activation": fields.choose("hidden_act", ACTIVATIONS, "silu"),
        "gated": True,
        "projection_bias": bias,
        "feed_forward_bias": "model.layers.0.mlp.up_proj.bias" in tensors,
        "output_bias": True,
        "position": "rotary",
        "position_base": _base(fields),
        "scale_embedding": False,
        "tied_embeddings": "target" if tied else "none",
        "dropout": 0.0,
        "max_length": _length(fields),
    }
    weights = {"target_embedding.weight": tensors.take("model.embed_tokens.weight", vocabulary, d)}
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    if not tied:
        weights["output.weight"] = tensors.take("lm_head.weight", vocabulary, d)
    weights |= tensors.norm("model.norm", "decoder_norm", d, bias=False)
    for number in range(layers):
        weights |= _layer(tensors, f"model.layers.{number}", f"decoder.{number}", config, head_size)
    tensors.refuse_rest(r".*rotary_emb\.inv_freq", r"lm_head\.weight")
    return Converted(config, weights)


def _base(fields: Fields) -> float:
    """The base of the frequencies; a model that stretches them for long texts is refused."""
    rotary = fields.get("rope_parameters") or fields.get("rope_scaling") or {}
    kind = rotary.get("rope_type") or rotary.get("type") or "default"
    if kind != "default":
        raise InvalidInput("import_field", field="rope_type", value=kind, choices="default")
    return float(rotary.get("rope_theta") or fields.get("rope_theta", 10_000.0))


def _length(fields: Fields) -> int:
    """Up to the window of a model that sees only so many tokens back, so that all of them are seen."""
    window = fields.get("sliding_window") if fields.get("use_sliding_window", True) else None
    return min(LONGEST, fields.count("max_position_embeddings"), window or LONGEST)


def _layer(tensors: Tensors, theirs: str, ours: str, config: dict, head_size: int) -> dict[str, Tensor]:
    d, d_ff, bias = config["d_model"], config["d_ff"], config["projection_bias"]
    width, kv_width = config["heads"] * head_size, config["key_value_heads"] * head_size
    weights: dict[str, Tensor] = {}
    for letter, size in (("q", width), ("k", kv_width), ("v", kv_width)):
        linear = tensors.linear(f"{theirs}.self_attn.{letter}_proj", letter, d, size, bias=bias)
        for name, value in linear.items():
            weights[f"{ours}.self_attention.{name}"] = value if letter == "v" else _paired(value, head_size)
    output = f"{ours}.self_attention.output"
    has_bias = f"{theirs}.self_attn.o_proj.bias" in tensors
    weights |= tensors.linear(f"{theirs}.self_attn.o_proj", output, width, d, bias=has_bias)
    if bias and not has_bias:
        weights[f"{output}.bias"] = torch.zeros(d)
    for name, into in (("gate_proj", "gate"), ("up_proj", "hidden")):
        linear = tensors.linear(
            f"{theirs}.mlp.{name}", f"{ours}.feed_forward.{into}", d, d_ff, bias=config["feed_forward_bias"]
        )
        weights |= linear
    last = f"{ours}.feed_forward.output"
    weights |= tensors.linear(f"{theirs}.mlp.down_proj", last, d_ff, d, bias=config["feed_forward_bias"])
    weights |= tensors.norm(f"{theirs}.input_layernorm", f"{ours}.residuals.0.norm", d, bias=False)
    return weights | tensors.norm(f"{theirs}.post_attention_layernorm", f"{ours}.residuals.1.norm", d, bias=False)


def _paired(value: Tensor, head_size: int) -> Tensor:
    """Rows of each head from first halves, then second halves, to pairs side by side; (H · D, …)."""
    halves = value.view(-1, 2, head_size // 2, *value.shape[1:])
    return halves.transpose(1, 2).reshape(value.shape)
