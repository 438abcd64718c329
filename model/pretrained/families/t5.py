"""T5, T5 1.1, flan-T5 and mT5: relative positions, RMSNorm before each sublayer, no biases."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.config import BUCKETS, FARTHEST
from model.pretrained.converted import LONGEST, Converted, Fields
from model.pretrained.tensors import Tensors

_FEED_FORWARD = {
    "relu": ("relu", False),
    "gated-gelu": ("gelu-tanh", True),
    "gated-relu": ("relu", True),
    "gated-silu": ("silu", True),
}
_SIDES = ("encoder", "decoder")


def t5(fields: Fields, tensors: Tensors) -> Converted:
    """Two factors go into the weights: scores are not divided by √d_k, and T5's first version outputs x / √d_model."""
    fields.need("relative_attention_num_buckets", BUCKETS, BUCKETS)
    fields.need("relative_attention_max_distance", FARTHEST, FARTHEST)
    kind = fields.choose("feed_forward_proj", {name: name for name in _FEED_FORWARD}, "relu")
    activation, gated = _FEED_FORWARD[kind]
    tied = "lm_head.weight" not in tensors
    vocabulary = fields.count("vocab_size")
    config: dict[str, Any] = {
        "architecture": "encoder-decoder",
        "source_vocabulary": vocabulary,
        "target_vocabulary": vocabulary,
        "d_model": fields.count("d_model"),
        "heads": fields.count("num_heads"),
        "head_size": fields.count("d_kv"),
        "encoder_layers": fields.count("num_layers"),
        "decoder_layers": fields.get("num_decoder_layers") or fields.count("num_layers"),
        "d_ff": fields.count("d_ff"),
        "norm": "pre",
        "norm_kind": "rms",
        "norm_eps": float(fields.get("layer_norm_epsilon", 1e-6)),
        "final_norm": True,
        "activation": activation,
        "gated": gated,
        "projection_bias": False,
        "feed_forward_bias": False,
        "output_bias": True,
        "position": "relative",
        "scale_embedding": False,
        "tied_embeddings": "all" if tied else "sides",
        "dropout": float(fields.get("dropout_rate", 0.1)),
        "max_length": min(LONGEST, fields.get("n_positions", 512)),
    }
    weights = _layers(config, tensors)
    scaled = fields.get("scale_decoder_outputs", fields.get("tie_word_embeddings", True))
    if scaled and fields.get("model_type") == "t5":
        weights["decoder_norm.weight"] = weights["decoder_norm.weight"] * config["d_model"] ** -0.5
    weights["source_embedding.weight"] = tensors.take("shared.weight", vocabulary, config["d_model"])
    weights["output.bias"] = weights["source_embedding.weight"].new_zeros(vocabulary)
    if not tied:
        weights["output.weight"] = tensors.take("lm_head.weight", vocabulary, config["d_model"])
    tensors.refuse_rest(r"(en|de)coder\.embed_tokens\.weight", r"lm_head\.weight")
    pad = fields.id("pad_token_id", 0)
    return Converted(config, weights, fields.id("decoder_start_token_id", pad))


def _layers(config: dict, tensors: Tensors) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = {}
    for side in _SIDES:
        bias = f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        weights[f"relative_bias.{side}.weight"] = tensors.take(bias, BUCKETS, config["heads"])
        weights |= tensors.norm(f"{side}.final_layer_norm", f"{side}_norm", config["d_model"], bias=False)
        for number in range(config[f"{side}_layers"]):
            weights |= _layer(config, tensors, side, number)
    return weights


def _layer(config: dict, tensors: Tensors, side: str, number: int) -> dict[str, Tensor]:
    d, d_ff, width = config["d_model"], config["d_ff"], config["heads"] * config["head_size"]
    theirs, ours = f"{side}.block.{number}.layer", f"{side}.{number}"
    attentions = [("SelfAttention", "self_attention")]
    if side == "decoder":
        attentions.append(("EncDecAttention", "cross_attention"))
    weights: dict[str, Tensor] = {}
    for order, (name, into) in enumerate(attentions):
        for letter in "qkv":
            weights |= tensors.linear(
                f"{theirs}.{order}.{name}.{letter}", f"{ours}.{into}.{letter}", d, width, bias=False
            )
        weights |= tensors.linear(f"{theirs}.{order}.{name}.o", f"{ours}.{into}.output", width, d, bias=False)
        weights[f"{ours}.{into}.q.weight"] = weights[f"{ours}.{into}.q.weight"] * config["head_size"] ** 0.5
        weights |= tensors.norm(f"{theirs}.{order}.layer_norm", f"{ours}.residuals.{order}.norm", d, bias=False)
    order, into = len(attentions), f"{ours}.feed_forward"
    dense = f"{theirs}.{order}.DenseReluDense"
    if config["gated"]:
        weights |= tensors.linear(f"{dense}.wi_0", f"{into}.gate", d, d_ff, bias=False)
        weights |= tensors.linear(f"{dense}.wi_1", f"{into}.hidden", d, d_ff, bias=False)
    else:
        weights |= tensors.linear(f"{dense}.wi", f"{into}.hidden", d, d_ff, bias=False)
    weights |= tensors.linear(f"{dense}.wo", f"{into}.output", d_ff, d, bias=False)
    return weights | tensors.norm(f"{theirs}.{order}.layer_norm", f"{ours}.residuals.{order}.norm", d, bias=False)
