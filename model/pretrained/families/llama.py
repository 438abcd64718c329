"""Llama and its relatives: decoders alone with rotary positions, RMSNorm and a gated feed-forward network."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from model.pretrained.converted import ACTIVATIONS, LONGEST, Converted, Fields
from model.pretrained.families import rotary
from model.pretrained.tensors import Tensors


def llama(fields: Fields, tensors: Tensors) -> Converted:
    """Llama, TinyLlama, SmolLM, Qwen2, Qwen3, Mistral, SmolLM3.

    Rotary positions turn pairs that stand half a head apart there, and side by side here: the rows of q and k change
    places. Where only q, k and v have a bias (Qwen2), the output gets one of zeros.
    """
    return _converted(fields, tensors)


def gemma(fields: Fields, tensors: Tensors) -> Converted:
    """Gemma, the first one: its norms scale by 1 + w, and its embedding by √d_model."""
    fields.need("use_bidirectional_attention", False, False)
    converted = _converted(fields, tensors, {"scale_embedding": True, "activation": "gelu-tanh"})
    for name, value in converted.weights.items():
        if "norm" in name:
            converted.weights[name] = 1 + value
    return converted


def _converted(fields: Fields, tensors: Tensors, own: dict[str, Any] | None = None) -> Converted:
    d, vocabulary = fields.count("hidden_size"), fields.count("vocab_size")
    heads, layers = fields.count("num_attention_heads"), fields.count("num_hidden_layers")
    head_size = fields.get("head_dim") or d // heads
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
        "activation": "" if own else fields.choose("hidden_act", ACTIVATIONS, "silu"),
        "gated": True,
        "projection_bias": "model.layers.0.self_attn.q_proj.bias" in tensors,
        "query_key_norm": "model.layers.0.self_attn.q_norm.weight" in tensors,
        "feed_forward_bias": "model.layers.0.mlp.up_proj.bias" in tensors,
        "output_bias": True,
        "windows": _windows(fields, layers),
        "unrotated": tuple(n for n, turns in enumerate(fields.get("no_rope_layers", ())) if not turns),
        "scale_embedding": False,
        "tied_embeddings": "target" if tied else "none",
        "dropout": 0.0,
        "max_length": min(LONGEST, fields.count("max_position_embeddings")),
    }
    config |= rotary.positions(fields, head_size) | (own or {})
    weights = {"target_embedding.weight": tensors.take("model.embed_tokens.weight", vocabulary, d)}
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    if not tied:
        weights["output.weight"] = tensors.take("lm_head.weight", vocabulary, d)
    weights |= tensors.norm("model.norm", "decoder_norm", d, bias=False)
    for number in range(layers):
        weights |= _layer(tensors, f"model.layers.{number}", f"decoder.{number}", config, head_size)
    tensors.refuse_rest(r".*rotary_emb\.inv_freq", r"lm_head\.weight")
    return Converted(config, weights)


def _windows(fields: Fields, layers: int) -> tuple[int, ...]:
    """How many tokens each layer sees; none where no text is long enough for a window to hide anything."""
    window = fields.get("sliding_window") if fields.get("use_sliding_window", True) else None
    if not window or window >= min(LONGEST, fields.count("max_position_embeddings")):
        return ()
    kinds = fields.get("layer_types") or _kinds(fields, layers)
    windows = tuple(window if kind == "sliding_attention" else 0 for kind in kinds)
    return windows if any(windows) else ()


def _kinds(fields: Fields, layers: int) -> list[str]:
    """The kind of each layer where the config does not list them: Qwen's first layers see everything."""
    first = fields.get("max_window_layers", 0) if "qwen" in str(fields.get("model_type")) else 0
    return ["full_attention" if number < first else "sliding_attention" for number in range(layers)]


def _layer(tensors: Tensors, theirs: str, ours: str, config: dict, head_size: int) -> dict[str, Tensor]:
    d, d_ff, bias = config["d_model"], config["d_ff"], config["projection_bias"]
    width, kv_width = config["heads"] * head_size, config["key_value_heads"] * head_size
    weights: dict[str, Tensor] = {}
    for letter, size in (("q", width), ("k", kv_width), ("v", kv_width)):
        linear = tensors.linear(f"{theirs}.self_attn.{letter}_proj", letter, d, size, bias=bias)
        for name, value in linear.items():
            weights[f"{ours}.self_attention.{name}"] = (
                value if letter == "v" else rotary.paired(value, head_size, head_size)
            )
    output = f"{ours}.self_attention.output"
    has_bias = f"{theirs}.self_attn.o_proj.bias" in tensors
    weights |= tensors.linear(f"{theirs}.self_attn.o_proj", output, width, d, bias=has_bias)
    if bias and not has_bias:
        weights[f"{output}.bias"] = torch.zeros(d)
    if config["query_key_norm"]:
        for letter in "qk":
            gain = tensors.take(f"{theirs}.self_attn.{letter}_norm.weight", head_size)
            weights[f"{ours}.self_attention.norms.{letter}.weight"] = rotary.paired(gain, head_size, head_size)
    for name, into in (("gate_proj", "gate"), ("up_proj", "hidden")):
        linear = tensors.linear(
            f"{theirs}.mlp.{name}", f"{ours}.feed_forward.{into}", d, d_ff, bias=config["feed_forward_bias"]
        )
        weights |= linear
    last = f"{ours}.feed_forward.output"
    weights |= tensors.linear(f"{theirs}.mlp.down_proj", last, d_ff, d, bias=config["feed_forward_bias"])
    weights |= tensors.norm(f"{theirs}.input_layernorm", f"{ours}.residuals.0.norm", d, bias=False)
    return weights | tensors.norm(f"{theirs}.post_attention_layernorm", f"{ours}.residuals.1.norm", d, bias=False)
