"""Marian (opus-mt), Pegasus, M2M100 with NLLB, BART and mBART: the same names of tensors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.position_methods import sinusoidal_positions
from model.pretrained.converted import ACTIVATIONS, Converted, Fields
from model.pretrained.tensors import Tensors

_OFFSET = 2  # rows at the beginning of BART's position tables that no token has
_SIDES = ("encoder", "decoder")


def marian(fields: Fields, tensors: Tensors) -> Converted:
    """The paper's model, but for the order of its position table. The two languages may have a vocabulary each."""
    fields.need("static_position_embeddings", True, True)
    for field in ("normalize_before", "normalize_embedding", "add_final_layer_norm"):
        fields.need(field, False, False)
    size = fields.count("vocab_size")
    pad = fields.id("pad_token_id", size - 1)
    start = fields.id("decoder_start_token_id", pad)
    return replace(_with_sines(fields, tensors, {"norm": "post"}), start=start, banned=pad)


def pegasus(fields: Fields, tensors: Tensors) -> Converted:
    """LayerNorm before each sublayer and after each stack; the position table is Marian's."""
    converted = _with_sines(fields, tensors, {"norm": "pre", "final_norm": True})
    return replace(converted, start=fields.id("decoder_start_token_id", fields.id("pad_token_id", 0)))


def m2m100(fields: Fields, tensors: Tensors) -> Converted:
    """M2M100 and NLLB. Their slowest wave is 10,000 times slower than the fastest, the last pair of the table included.

    The same table follows from another base. Its first row is that of position 2.
    """
    pairs = fields.count("d_model") // 2
    norms = {"norm": "pre", "final_norm": True, "position_start": _OFFSET}
    norms["position_base"] = 10_000.0 ** (pairs / (pairs - 1)) if pairs > 1 else 10_000.0
    start = fields.id("decoder_start_token_id", fields.id("eos_token_id"))
    first = fields.id("forced_bos_token_id")
    return replace(_with_sines(fields, tensors, norms), start=start, first=first)


def _with_sines(fields: Fields, tensors: Tensors, norms: dict[str, Any]) -> Converted:
    """A model whose position table has all sines first, then all cosines.

    The order of the residual stream's dimensions is arbitrary, so d_model is put in the order of the paper's table.
    """
    config = _config(fields) | norms
    config |= {"position": "sinusoidal", "max_length": fields.count("max_position_embeddings"), "output_bias": True}
    weights = _layers(config, tensors) | _ends(config, tensors)
    for side in _SIDES:
        if norms.get("final_norm"):
            weights |= tensors.norm(f"model.{side}.layer_norm", f"{side}_norm", config["d_model"])
        _check_table(tensors, f"model.{side}.embed_positions.weight", config)
    tensors.refuse_rest(*_ELSEWHERE, r"model\.(en|de)coder\.embed_positions\.weights")
    return Converted(config, _interleaved(weights, config["d_model"]))


def bart(fields: Fields, tensors: Tensors) -> Converted:
    """BART: LayerNorm after each sublayer and after the embedding; learned positions."""
    return _with_table(fields, tensors, {"norm": "post"})


def mbart(fields: Fields, tensors: Tensors) -> Converted:
    """mBART: BART with LayerNorm before each sublayer and after each stack."""
    return _with_table(fields, tensors, {"norm": "pre", "final_norm": True})


def _with_table(fields: Fields, tensors: Tensors, norms: dict[str, Any]) -> Converted:
    length, d_model = fields.count("max_position_embeddings"), fields.count("d_model")
    config = _config(fields) | norms
    config |= {"position": "learned", "max_length": length, "embedding_norm": True, "output_bias": True}
    weights = _layers(config, tensors) | _ends(config, tensors)
    for side in _SIDES:
        table = tensors.take(f"model.{side}.embed_positions.weight", length + _OFFSET, d_model)
        weights[f"position_tables.{side}"] = table[_OFFSET:]
        weights |= tensors.norm(f"model.{side}.layernorm_embedding", f"embedding_norms.{side}", d_model)
        if norms.get("final_norm"):
            weights |= tensors.norm(f"model.{side}.layer_norm", f"{side}_norm", d_model)
    tensors.refuse_rest(*_ELSEWHERE)
    start = fields.id("decoder_start_token_id", fields.id("eos_token_id"))
    return Converted(config, weights, start, fields.id("forced_bos_token_id"))


def _config(fields: Fields) -> dict[str, Any]:
    heads = fields.count("encoder_attention_heads")
    fields.need("decoder_attention_heads", heads)
    d_ff = fields.count("encoder_ffn_dim")
    fields.need("decoder_ffn_dim", d_ff)
    fields.need("tie_word_embeddings", True, True)
    vocabulary = fields.count("vocab_size")
    shared = bool(fields.get("share_encoder_decoder_embeddings", True))
    if shared:
        fields.need("decoder_vocab_size", vocabulary, vocabulary)
    return {
        "architecture": "encoder-decoder",
        "source_vocabulary": vocabulary,
        "target_vocabulary": vocabulary if shared else fields.count("decoder_vocab_size", "vocab_size"),
        "d_model": fields.count("d_model"),
        "heads": heads,
        "encoder_layers": fields.count("encoder_layers"),
        "decoder_layers": fields.count("decoder_layers"),
        "d_ff": d_ff,
        "activation": fields.choose("activation_function", ACTIVATIONS, "gelu"),
        "scale_embedding": bool(fields.get("scale_embedding", False)),
        "tied_embeddings": "all" if shared else "target",
        "dropout": float(fields.get("dropout", 0.1)),
    }


def _layers(config: dict, tensors: Tensors) -> dict[str, Tensor]:
    d, d_ff = config["d_model"], config["d_ff"]
    weights: dict[str, Tensor] = {}
    for side in _SIDES:
        attentions = [("self_attn", "self_attention")]
        if side == "decoder":
            attentions.append(("encoder_attn", "cross_attention"))
        for number in range(config[f"{side}_layers"]):
            theirs, ours = f"model.{side}.layers.{number}", f"{side}.{number}"
            for order, (name, into) in enumerate(attentions):
                for letter, part in (("q", "q"), ("k", "k"), ("v", "v"), ("out", "output")):
                    weights |= tensors.linear(f"{theirs}.{name}.{letter}_proj", f"{ours}.{into}.{part}", d, d)
                weights |= tensors.norm(f"{theirs}.{name}_layer_norm", f"{ours}.residuals.{order}.norm", d)
            weights |= tensors.linear(f"{theirs}.fc1", f"{ours}.feed_forward.hidden", d, d_ff)
            weights |= tensors.linear(f"{theirs}.fc2", f"{ours}.feed_forward.output", d_ff, d)
            last = len(attentions)
            weights |= tensors.norm(f"{theirs}.final_layer_norm", f"{ours}.residuals.{last}.norm", d)
    return weights


def _ends(config: dict, tensors: Tensors) -> dict[str, Tensor]:
    """The tables of both sides, which may be one, and the bias of the output."""
    sizes, d = (config["source_vocabulary"], config["target_vocabulary"]), config["d_model"]
    own = [f"model.{side}.embed_tokens.weight" for side in _SIDES]
    bias = torch.zeros(sizes[1])
    if "final_logits_bias" in tensors:
        bias = tensors.take("final_logits_bias", 1, sizes[1])[0]
    if config["tied_embeddings"] == "all":
        copies = ("model.shared.weight", *own, "lm_head.weight")
        shared = next((name for name in copies if name in tensors), copies[0])
        return {"source_embedding.weight": tensors.take(shared, sizes[0], d), "output.bias": bias}
    source, target = (tensors.take(name, size, d) for name, size in zip(own, sizes, strict=True))
    return {"source_embedding.weight": source, "target_embedding.weight": target, "output.bias": bias}


# copies of the one table
_ELSEWHERE = (r"model\.shared\.weight", r"model\.(en|de)coder\.embed_tokens\.weight", r"lm_head\.weight")


def _check_table(tensors: Tensors, name: str, config: dict) -> None:
    """Raise `InvalidInput` for a stored table that is not the one of sines and cosines."""
    if name not in tensors:
        return
    expected = sinusoidal_positions(config["max_length"], config["d_model"])
    expected = torch.cat([expected[:, 0::2], expected[:, 1::2]], dim=1)
    if not torch.allclose(tensors.take(name, *expected.shape), expected, atol=2e-3):  # it may be in half precision
        raise InvalidInput("import_positions", tensor=name)


def _interleaved(weights: dict[str, Tensor], d_model: int) -> dict[str, Tensor]:
    """The weights with the dimensions of the residual stream in another order: sine and cosine side by side."""
    order = torch.arange(d_model).view(2, d_model // 2).T.flatten()  # 0, d/2, 1, d/2 + 1, …
    result = {}
    for name, value in weights.items():
        reads = name.endswith((".q.weight", ".k.weight", ".v.weight", ".hidden.weight", "embedding.weight"))
        writes = name.endswith((".output.weight", "attention.output.bias", "feed_forward.output.bias"))
        if reads:
            value = value[:, order]
        elif writes or "norm." in name:
            value = value[order]
        result[name] = value
    return result
