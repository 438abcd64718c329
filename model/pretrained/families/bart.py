"""Marian (opus-mt), Pegasus, M2M100 with NLLB, BART and mBART: the same names of tensors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.position_methods import sinusoidal_positions
from model.pretrained.converted import ACTIVATIONS, Converted, Fields
from model.pretrained.families.tables import tables
from model.pretrained.tensors import BUFFER, HEAD, NEVER_USED, Tensors

_OFFSET = 2  # rows at the beginning of BART's position tables that no token has
_NOTHING = {
    r"(model\.)?(en|de)coder\.version": BUFFER,  # fairseq's, 3.0
    r"(model\.)?(en|de)coder\.embed_positions\.(weights|_float_tensor)": BUFFER,
    r"(classification_head|qa_outputs)\..*": HEAD,
}


def marian(fields: Fields, tensors: Tensors) -> Converted:
    """The paper's model, but for the order of its position table. The two languages may have a vocabulary each."""
    fields.need("static_position_embeddings", True, True)
    for field in ("normalize_before", "normalize_embedding", "add_final_layer_norm"):
        fields.need(field, False, False)  # of older versions
    size = fields.count("vocab_size")
    pad = fields.id("pad_token_id", size - 1)
    start = fields.generated_id("decoder_start_token_id", pad)
    return replace(_with_sines(fields, tensors, {"norm": "post"}), start=start, banned=pad)


def pegasus(fields: Fields, tensors: Tensors) -> Converted:
    """LayerNorm before each sublayer and after each stack; the position table is Marian's."""
    converted = _with_sines(fields, tensors, {"norm": "pre", "final_norm": True})
    return replace(converted, start=fields.generated_id("decoder_start_token_id", fields.id("pad_token_id", 0)))


def m2m100(fields: Fields, tensors: Tensors) -> Converted:
    """M2M100 and NLLB. Their slowest wave is 10,000 times slower than the fastest, the last pair of the table included.

    The same table follows from another base. Positions are counted from the id of padding + 1.
    """
    pairs = fields.count("d_model") // 2
    norms = {"norm": "pre", "final_norm": True, "position_start": 1 + (fields.id("pad_token_id", 1) or 0)}
    norms["position_base"] = 10_000.0 ** (pairs / (pairs - 1)) if pairs > 1 else 10_000.0
    start = fields.generated_id("decoder_start_token_id", fields.id("eos_token_id"))
    first = fields.generated_id("forced_bos_token_id")
    return replace(_with_sines(fields, tensors, norms), start=start, first=first)


def _with_sines(fields: Fields, tensors: Tensors, norms: dict[str, Any]) -> Converted:
    """A model whose position table has all sines first, then all cosines.

    The order of the residual stream's dimensions is arbitrary, so d_model is put in the order of the paper's table.
    """
    config, prefix = _config(fields) | norms, tensors.prefix("model.")
    config |= {"position": "sinusoidal", "max_length": fields.count("max_position_embeddings"), "output_bias": True}
    weights = _layers(config, tensors, prefix) | _ends(fields, config, tensors, prefix)
    for side in _sides(config):
        if norms.get("final_norm"):
            weights |= tensors.norm(f"{prefix}{side}.layer_norm", f"{side}_norm", config["d_model"])
        _check_table(tensors, f"{prefix}{side}.embed_positions.weight", config)
    tensors.account(_nothing(config))
    return Converted(config, _interleaved(weights, config["d_model"]))


def bart(fields: Fields, tensors: Tensors) -> Converted:
    """BART: LayerNorm after each sublayer and after the embedding; learned positions."""
    return _with_table(fields, tensors, {"norm": "post"})


def mbart(fields: Fields, tensors: Tensors) -> Converted:
    """mBART: BART with LayerNorm before each sublayer and after each stack."""
    return _with_table(fields, tensors, {"norm": "pre", "final_norm": True})


FAMILIES = {"marian": marian, "pegasus": pegasus, "m2m_100": m2m100, "bart": bart, "mbart": mbart}


def _with_table(fields: Fields, tensors: Tensors, norms: dict[str, Any]) -> Converted:
    length, d_model = fields.count("max_position_embeddings"), fields.count("d_model")
    config, prefix = _config(fields) | norms, tensors.prefix("model.")
    config |= {"position": "learned", "max_length": length, "embedding_norm": True, "output_bias": True}
    weights = _layers(config, tensors, prefix) | _ends(fields, config, tensors, prefix)
    for side in _sides(config):
        table = tensors.take(f"{prefix}{side}.embed_positions.weight", length + _OFFSET, d_model)
        weights[f"position_tables.{side}"] = table[_OFFSET:]
        weights |= tensors.norm(f"{prefix}{side}.layernorm_embedding", f"embedding_norms.{side}", d_model)
        if norms.get("final_norm"):
            weights |= tensors.norm(f"{prefix}{side}.layer_norm", f"{side}_norm", d_model)
    tensors.account(_nothing(config))
    start = fields.generated_id("decoder_start_token_id", fields.id("eos_token_id"))
    return Converted(config, weights, start, fields.generated_id("forced_bos_token_id"))


def _config(fields: Fields) -> dict[str, Any]:
    """What all of them say alike. A class `…ForCausalLM` is the decoder alone, and reads nothing of an encoder."""
    alone = fields.architecture.endswith("ForCausalLM")
    fields.need("is_encoder_decoder", not alone, not alone)
    sides = ("decoder",) if alone else ("encoder", "decoder")
    heads, d_ff = ({fields.count(f"{side}_{size}") for side in sides} for size in ("attention_heads", "ffn_dim"))
    for name, values in (("decoder_attention_heads", heads), ("decoder_ffn_dim", d_ff)):
        if len(values) > 1:
            fields.need(name, fields.count(name.replace("decoder", "encoder")))
    vocabulary, family = fields.count("vocab_size"), fields.get("model_type")
    is_m2m100 = family == "m2m_100"
    return {
        "architecture": "decoder" if alone else "encoder-decoder",
        "source_vocabulary": 0 if alone else vocabulary,
        "target_vocabulary": fields.count("decoder_vocab_size", "vocab_size") if family == "marian" else vocabulary,
        "d_model": fields.count("d_model"),
        "heads": heads.pop(),
        "encoder_layers": 0 if alone else fields.count("encoder_layers"),
        "decoder_layers": fields.count("decoder_layers"),
        "d_ff": d_ff.pop(),
        "activation": fields.choose("activation_function", ACTIVATIONS, "relu" if is_m2m100 else "gelu"),
        "scale_embedding": fields.flag("scale_embedding", is_m2m100),
        "dropout": fields.number("dropout", 0.1),
    }


def _sides(config: dict) -> list[str]:
    return [side for side in ("encoder", "decoder") if config[f"{side}_layers"]]


def _nothing(config: dict) -> dict[str, str]:
    """What carries nothing: in a decoder alone, what would read an encoder."""
    crossing = {r"(model\.)?decoder\.layers\.\d+\.encoder_attn(_layer_norm)?\..*": NEVER_USED}
    return _NOTHING | (crossing if config["architecture"] == "decoder" else {})


def _layers(config: dict, tensors: Tensors, prefix: str) -> dict[str, Tensor]:
    d, d_ff = config["d_model"], config["d_ff"]
    weights: dict[str, Tensor] = {}
    for side in _sides(config):
        attentions = [("self_attn", "self_attention")]
        if config["architecture"] == "encoder-decoder" and side == "decoder":
            attentions.append(("encoder_attn", "cross_attention"))
        for number in range(config[f"{side}_layers"]):
            theirs, ours = f"{prefix}{side}.layers.{number}", f"{side}.{number}"
            for order, (name, into) in enumerate(attentions):
                for letter, part in (("q", "q"), ("k", "k"), ("v", "v"), ("out", "output")):
                    weights |= tensors.linear(f"{theirs}.{name}.{letter}_proj", f"{ours}.{into}.{part}", d, d)
                weights |= tensors.norm(f"{theirs}.{name}_layer_norm", f"{ours}.residuals.{order}.norm", d)
            weights |= tensors.linear(f"{theirs}.fc1", f"{ours}.feed_forward.hidden", d, d_ff)
            weights |= tensors.linear(f"{theirs}.fc2", f"{ours}.feed_forward.output", d_ff, d)
            last = len(attentions)
            weights |= tensors.norm(f"{theirs}.final_layer_norm", f"{ours}.residuals.{last}.norm", d)
    return weights


def _ends(fields: Fields, config: dict, tensors: Tensors, prefix: str) -> dict[str, Tensor]:
    """The tables of both sides and of the output, of which several may be one, and the bias of the output."""
    sizes = {"encoder": config["source_vocabulary"], "decoder": config["target_vocabulary"]}
    own = {side: f"{prefix}{side}.embed_tokens.weight" for side in _sides(config)}
    names = {
        part: (own[side], sizes[side]) for part, side in zip(("source", "target"), sizes, strict=True) if side in own
    }
    names["output"] = ("lm_head.weight", sizes["decoder"])
    apart = len(own) == 1 or not fields.flag("share_encoder_decoder_embeddings", True)
    shared = f"{prefix}shared.weight"
    ties = [("lm_head.weight", own["decoder"] if apart else shared)]
    ties += [] if apart else [(own["decoder"], shared), (own["encoder"], shared)]
    tied = fields.flag("tie_word_embeddings", True)
    config["tied_embeddings"], weights = tables(tensors, names, config["d_model"], ties, tied=tied)
    bias = torch.zeros(sizes["decoder"])
    if "final_logits_bias" in tensors:
        bias = tensors.take("final_logits_bias", 1, sizes["decoder"])[0]
    return weights | {"output.bias": bias}


def _check_table(tensors: Tensors, name: str, config: dict) -> None:
    """Raise `InvalidInput` for a stored table that is not the one of sines and cosines."""
    if name not in tensors:
        return
    expected = sinusoidal_positions(config["max_length"], config["d_model"])
    expected = torch.cat([expected[:, 0::2], expected[:, 1::2]], dim=1)
    if not torch.allclose(tensors.take(name, *expected.shape), expected, rtol=1e-3, atol=1e-5):  # or half precision
        raise InvalidInput("import_positions", tensor=name)


def _interleaved(weights: dict[str, Tensor], d_model: int) -> dict[str, Tensor]:
    """The weights with the dimensions of the residual stream in another order: sine and cosine side by side."""
    order = torch.arange(d_model).view(2, d_model // 2).T.flatten()  # 0, d/2, 1, d/2 + 1, …
    result = {}
    for name, value in weights.items():
        tables = ("embedding.weight", "output.weight") if name == "output.weight" else ("embedding.weight",)
        reads = name.endswith((".q.weight", ".k.weight", ".v.weight", ".hidden.weight", *tables))
        writes = name.endswith((".output.weight", "attention.output.bias", "feed_forward.output.bias"))
        if reads:
            value = value[:, order]
        elif writes or "norm." in name:
            value = value[order]
        result[name] = value
    return result
