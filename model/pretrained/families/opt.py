"""OPT, a decoder alone: learned positions, ReLU, LayerNorm before or after each sublayer."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.pretrained.converted import ACTIVATIONS, Converted, Fields
from model.pretrained.families.tables import tables
from model.pretrained.tensors import Tensors

_OFFSET = 2  # rows at the beginning of the position table that no token has


def opt(fields: Fields, tensors: Tensors) -> Converted:
    """A narrower embedding (OPT-350M) is multiplied with the layers that widen it and, at the output, narrow it."""
    fields.need("enable_bias", True, True)
    fields.need("layer_norm_elementwise_affine", True, True)
    d, vocabulary = fields.count("hidden_size"), fields.count("vocab_size")
    length = fields.count("max_position_embeddings")
    pre, narrow = fields.flag("do_layer_norm_before", True), fields.count("word_embed_proj_dim", default=d)
    final = pre and not fields.flag("_remove_final_layer_norm", False)
    config: dict[str, Any] = {
        "architecture": "decoder",
        "target_vocabulary": vocabulary,
        "d_model": d,
        "heads": fields.count("num_attention_heads"),
        "encoder_layers": 0,
        "decoder_layers": fields.count("num_hidden_layers"),
        "d_ff": fields.count("ffn_dim"),
        "norm": "pre" if pre else "post",
        "final_norm": final,
        "activation": fields.choose("activation_function", ACTIVATIONS, "relu"),
        "position": "learned",
        "scale_embedding": False,
        "output_bias": True,
        "dropout": fields.number("dropout", 0.1),
        "max_length": length,
    }
    prefix = tensors.prefix("model.decoder.", "decoder.")
    table = f"{prefix}embed_tokens.weight"
    config["tied_embeddings"], weights = tables(
        tensors,
        {"target": (table, vocabulary), "output": ("lm_head.weight", vocabulary)},
        narrow,
        [("lm_head.weight", table)],
        tied=fields.flag("tie_word_embeddings", True),
    )
    if narrow != d:
        table, output = weights["target_embedding.weight"], weights.get("output.weight")
        output = table if output is None else output
        weights["target_embedding.weight"] = table @ tensors.take(f"{prefix}project_in.weight", d, narrow).T
        weights["output.weight"] = output @ tensors.take(f"{prefix}project_out.weight", narrow, d)
        config["tied_embeddings"] = "none"
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    positions = tensors.take(f"{prefix}embed_positions.weight", length + _OFFSET, d)
    weights["position_tables.decoder"] = positions[_OFFSET:]
    if final:
        weights |= tensors.norm(f"{prefix}final_layer_norm", "decoder_norm", d)
    for number in range(config["decoder_layers"]):
        weights |= _layer(tensors, f"{prefix}layers.{number}", f"decoder.{number}", d, config["d_ff"])
    tensors.account({})
    return Converted(config, weights)


FAMILIES = {"opt": opt}


def _layer(tensors: Tensors, theirs: str, ours: str, d: int, d_ff: int) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = {}
    for name, part in (("q_proj", "q"), ("k_proj", "k"), ("v_proj", "v"), ("out_proj", "output")):
        weights |= tensors.linear(f"{theirs}.self_attn.{name}", f"{ours}.self_attention.{part}", d, d)
    weights |= tensors.linear(f"{theirs}.fc1", f"{ours}.feed_forward.hidden", d, d_ff)
    weights |= tensors.linear(f"{theirs}.fc2", f"{ours}.feed_forward.output", d_ff, d)
    weights |= tensors.norm(f"{theirs}.self_attn_layer_norm", f"{ours}.residuals.0.norm", d)
    return weights | tensors.norm(f"{theirs}.final_layer_norm", f"{ours}.residuals.1.norm", d)
