"""GPT-2 and GPT-Neo: decoders alone with learned positions.

GPT-2's q, k and v are one tensor, kept as (in, out).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from model.pretrained.converted import ACTIVATIONS, Converted, Fields
from model.pretrained.families.tables import tables
from model.pretrained.tensors import BUFFER, Tensors

_NOTHING = {r".*\.attn\.(attention\.)?(masked_)?bias": BUFFER}  # masks


def gpt2(fields: Fields, tensors: Tensors) -> Converted:
    """Its fused tensor is transposed and split into q, k and v."""
    fields.need("scale_attn_weights", True, True)
    fields.need("scale_attn_by_inverse_layer_idx", False, False)
    fields.need("add_cross_attention", False, False)
    return _converted(fields, tensors, _layer)


def gpt_neo(fields: Fields, tensors: Tensors) -> Converted:
    """GPT-Neo and TinyStories: scores are not divided by √d_k, so W_q is multiplied by it; some layers see a window."""
    return _converted(fields, tensors, _neo_layer, _windows(fields))


FAMILIES = {"gpt2": gpt2, "gpt_neo": gpt_neo}


def _windows(fields: Fields) -> tuple[int, ...]:
    """How many tokens each layer sees; 0 in a global one, and where no text is longer than the window."""
    types = fields.get("attention_types", [[["global", "local"], 12]])
    layers = fields.get("attention_layers") or [kind for kinds, times in types for kind in kinds * times]
    window = fields.count("window_size")
    window = 0 if window >= fields.count("max_position_embeddings") else window
    windows = tuple(window if kind == "local" else 0 for kind in layers)
    return windows if any(windows) else ()


def _converted(
    fields: Fields,
    tensors: Tensors,
    layer: Callable[[Tensors, str, str, dict[str, Any]], dict[str, Tensor]],
    windows: tuple[int, ...] = (),
) -> Converted:
    d, vocabulary = fields.count("n_embd", "hidden_size"), fields.count("vocab_size")
    length = fields.count("n_positions", "n_ctx", "max_position_embeddings")
    prefix = tensors.prefix("transformer.")
    table = f"{prefix}wte.weight"
    tied, weights = tables(
        tensors,
        {"target": (table, vocabulary), "output": ("lm_head.weight", vocabulary)},
        d,
        [("lm_head.weight", table)],
        tied=fields.flag("tie_word_embeddings", True),
    )
    config: dict[str, Any] = {
        "architecture": "decoder",
        "target_vocabulary": vocabulary,
        "d_model": d,
        "heads": fields.count("n_head", "num_heads"),
        "encoder_layers": 0,
        "decoder_layers": fields.count("n_layer", "num_layers"),
        "d_ff": fields.count("n_inner", "intermediate_size", default=4 * d),
        "norm": "pre",
        "norm_eps": fields.number("layer_norm_epsilon", 1e-5),
        "final_norm": True,
        "activation": fields.choose("activation_function", ACTIVATIONS, "gelu_new"),
        "windows": windows,
        "position": "learned",
        "scale_embedding": False,
        "output_bias": True,
        "tied_embeddings": tied,
        "dropout": fields.number("resid_pdrop", 0.1),
        "max_length": length,
    }
    weights["position_tables.decoder"] = tensors.take(f"{prefix}wpe.weight", length, d)
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    weights |= tensors.norm(f"{prefix}ln_f", "decoder_norm", d)
    for number in range(config["decoder_layers"]):
        weights |= layer(tensors, f"{prefix}h.{number}", f"decoder.{number}", config)
    tensors.account(_NOTHING)
    return Converted(config, weights)


def _layer(tensors: Tensors, theirs: str, ours: str, config: dict[str, Any]) -> dict[str, Tensor]:
    d, d_ff = config["d_model"], config["d_ff"]
    fused = tensors.take(f"{theirs}.attn.c_attn.weight", d, 3 * d).T.split(d)  # q, k, v (d, d) each
    biases = tensors.take(f"{theirs}.attn.c_attn.bias", 3 * d).split(d)
    weights: dict[str, Tensor] = {}
    for letter, weight, bias in zip("qkv", fused, biases, strict=True):
        weights |= {f"{ours}.self_attention.{letter}.weight": weight, f"{ours}.self_attention.{letter}.bias": bias}
    weights |= _linear(tensors, f"{theirs}.attn.c_proj", f"{ours}.self_attention.output", d, d)
    weights |= _linear(tensors, f"{theirs}.mlp.c_fc", f"{ours}.feed_forward.hidden", d, d_ff)
    weights |= _linear(tensors, f"{theirs}.mlp.c_proj", f"{ours}.feed_forward.output", d_ff, d)
    weights |= tensors.norm(f"{theirs}.ln_1", f"{ours}.residuals.0.norm", d)
    return weights | tensors.norm(f"{theirs}.ln_2", f"{ours}.residuals.1.norm", d)


def _neo_layer(tensors: Tensors, theirs: str, ours: str, config: dict[str, Any]) -> dict[str, Tensor]:
    d, d_ff, own = config["d_model"], config["d_ff"], f"{ours}.self_attention"
    weights: dict[str, Tensor] = {}
    for letter in "qkv":
        weight = tensors.take(f"{theirs}.attn.attention.{letter}_proj.weight", d, d)
        factor = (d // config["heads"]) ** 0.5 if letter == "q" else 1
        weights |= {f"{own}.{letter}.weight": factor * weight, f"{own}.{letter}.bias": weight.new_zeros(d)}
    weights |= tensors.linear(f"{theirs}.attn.attention.out_proj", f"{own}.output", d, d)
    weights |= tensors.linear(f"{theirs}.mlp.c_fc", f"{ours}.feed_forward.hidden", d, d_ff)
    weights |= tensors.linear(f"{theirs}.mlp.c_proj", f"{ours}.feed_forward.output", d_ff, d)
    weights |= tensors.norm(f"{theirs}.ln_1", f"{ours}.residuals.0.norm", d)
    return weights | tensors.norm(f"{theirs}.ln_2", f"{ours}.residuals.1.norm", d)


def _linear(tensors: Tensors, name: str, into: str, inputs: int, outputs: int) -> dict[str, Tensor]:
    weight = tensors.take(f"{name}.weight", inputs, outputs).T
    return {f"{into}.weight": weight, f"{into}.bias": tensors.take(f"{name}.bias", outputs)}
