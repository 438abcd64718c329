"""T5, T5 1.1, flan-T5 and mT5: relative positions, RMSNorm before each sublayer, no biases."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.config import BUCKETS, FARTHEST
from model.pretrained.converted import ACTIVATIONS, LONGEST, Converted, Fields
from model.pretrained.families.tables import tables
from model.pretrained.tensors import NEVER_USED, Tensors

_TIES = [(f"{name}.weight", "shared.weight") for name in ("encoder.embed_tokens", "decoder.embed_tokens", "lm_head")]
_NOTHING = {r"decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight": NEVER_USED}


def t5(fields: Fields, tensors: Tensors) -> Converted:
    """Two factors go into the weights: scores are not divided by √d_k, and T5's first version outputs x / √d_model.

    `T5EncoderModel` is the encoder alone.
    """
    alone = fields.architecture.endswith("EncoderModel")
    if not alone:
        fields.need("is_encoder_decoder", True, True)
    activation, gated = _feed_forward(fields)
    vocabulary, d = fields.count("vocab_size"), fields.count("d_model")
    names = {"source": ("encoder.embed_tokens.weight", vocabulary)}
    if not alone:
        names |= {"target": ("decoder.embed_tokens.weight", vocabulary), "output": ("lm_head.weight", vocabulary)}
    # transformers ties them whatever the config says, unless the file holds several
    tied, weights = tables(tensors, names, d, _TIES[: len(names)], tied=True)
    config: dict[str, Any] = {
        "architecture": "encoder" if alone else "encoder-decoder",
        "source_vocabulary": vocabulary,
        "target_vocabulary": 0 if alone else vocabulary,
        "d_model": d,
        "heads": fields.count("num_heads"),
        "head_size": fields.count("d_kv"),
        "encoder_layers": fields.count("num_layers"),
        "decoder_layers": 0 if alone else fields.count("num_decoder_layers", "num_layers"),
        "d_ff": fields.count("d_ff"),
        "norm": "pre",
        "norm_kind": "rms",
        "norm_eps": fields.number("layer_norm_epsilon", 1e-6),
        "final_norm": True,
        "activation": activation,
        "gated": gated,
        "projection_bias": False,
        "feed_forward_bias": False,
        "output_bias": not alone,
        "position": "relative",
        "position_buckets": fields.count("relative_attention_num_buckets", default=BUCKETS),
        "position_farthest": fields.count("relative_attention_max_distance", default=FARTHEST),
        "scale_embedding": False,
        "tied_embeddings": "none" if alone else tied,
        "dropout": fields.number("dropout_rate", 0.1),
        "max_length": min(LONGEST, fields.count("n_positions", default=512)),
    }
    weights |= _layers(config, tensors)
    if not alone:
        weights["output.bias"] = weights["source_embedding.weight"].new_zeros(vocabulary)
        scaled = fields.flag("scale_decoder_outputs", fields.flag("tie_word_embeddings", True))
        if scaled and fields.get("model_type") == "t5":
            weights["decoder_norm.weight"] = weights["decoder_norm.weight"] * d**-0.5
    tensors.account(_NOTHING | ({r"(decoder\..*|lm_head\.weight)": NEVER_USED} if alone else {}))
    pad = fields.id("pad_token_id", 0)
    return Converted(config, weights, fields.generated_id("decoder_start_token_id", pad))


FAMILIES = {"t5": t5, "mt5": t5}


def _feed_forward(fields: Fields) -> tuple[str, bool]:
    """The activation, and whether it is gated. Two derived fields, which transformers saves too, count before it."""
    *gate, name = str(fields.get("feed_forward_proj", "relu")).split("-")
    name = "gelu_new" if gate and name == "gelu" else name
    activation = fields.choose("dense_act_fn", ACTIVATIONS, name)
    return activation, fields.flag("is_gated_act", gate == ["gated"])


def _layers(config: dict, tensors: Tensors) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = {}
    for side in (side for side in ("encoder", "decoder") if config[f"{side}_layers"]):
        bias = f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        weights[f"relative_bias.{side}.weight"] = tensors.take(bias, config["position_buckets"], config["heads"])
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
