"""GPT-2 and DistilGPT-2: a decoder alone with learned positions; q, k and v are one tensor, kept as (in, out)."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.pretrained.converted import ACTIVATIONS, Converted, Fields
from model.pretrained.tensors import Tensors


def gpt2(fields: Fields, tensors: Tensors) -> Converted:
    """Its fused tensor is transposed and split into q, k and v."""
    fields.need("scale_attn_weights", True, True)
    fields.need("scale_attn_by_inverse_layer_idx", False, False)
    fields.need("add_cross_attention", False, False)
    d, vocabulary, length = fields.count("n_embd"), fields.count("vocab_size"), fields.count("n_positions", "n_ctx")
    prefix = tensors.prefix("transformer.")
    tied = "lm_head.weight" not in tensors or bool(fields.get("tie_word_embeddings", True))
    config: dict[str, Any] = {
        "architecture": "decoder",
        "target_vocabulary": vocabulary,
        "d_model": d,
        "heads": fields.count("n_head"),
        "encoder_layers": 0,
        "decoder_layers": fields.count("n_layer"),
        "d_ff": fields.get("n_inner") or 4 * d,
        "norm": "pre",
        "norm_eps": float(fields.get("layer_norm_epsilon", 1e-5)),
        "final_norm": True,
        "activation": fields.choose("activation_function", ACTIVATIONS, "gelu_new"),
        "position": "learned",
        "scale_embedding": False,
        "output_bias": True,
        "tied_embeddings": "target" if tied else "none",
        "dropout": float(fields.get("resid_pdrop", 0.1)),
        "max_length": length,
    }
    weights = {
        "target_embedding.weight": tensors.take(f"{prefix}wte.weight", vocabulary, d),
        "position_tables.decoder": tensors.take(f"{prefix}wpe.weight", length, d),
    }
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    if not tied:
        weights["output.weight"] = tensors.take("lm_head.weight", vocabulary, d)
    weights |= tensors.norm(f"{prefix}ln_f", "decoder_norm", d)
    for number in range(config["decoder_layers"]):
        weights |= _layer(tensors, f"{prefix}h.{number}", f"decoder.{number}", d, config["d_ff"])
    tensors.refuse_rest(r".*\.attn\.(masked_)?bias", r"lm_head\.weight")
    return Converted(config, weights)


def _layer(tensors: Tensors, theirs: str, ours: str, d: int, d_ff: int) -> dict[str, Tensor]:
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


def _linear(tensors: Tensors, name: str, into: str, inputs: int, outputs: int) -> dict[str, Tensor]:
    weight = tensors.take(f"{name}.weight", inputs, outputs).T
    return {f"{into}.weight": weight, f"{into}.bias": tensors.take(f"{name}.bias", outputs)}
