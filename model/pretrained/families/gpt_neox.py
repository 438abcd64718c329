"""GPT-NeoX and Pythia: decoders alone whose attention and feed-forward network read the same vector."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from model.pretrained.converted import ACTIVATIONS, LONGEST, Converted, Fields
from model.pretrained.families import rotary
from model.pretrained.families.tables import tables
from model.pretrained.tensors import BUFFER, Tensors

_NOTHING = {r".*\.attention\.(masked_)?bias": BUFFER, r".*rotary_emb\.inv_freq": BUFFER}


def gpt_neox(fields: Fields, tensors: Tensors) -> Converted:
    """The fused tensor has q, k and v of one head after the other; only the first numbers of a head are rotated."""
    d, vocabulary, heads = (fields.count(name) for name in ("hidden_size", "vocab_size", "num_attention_heads"))
    fields.need("head_dim", d // heads, d // heads)
    prefix = tensors.prefix("gpt_neox.")
    # the hub's files say `embed_out`, as the class did until transformers 5
    output = "embed_out.weight" if "embed_out.weight" in tensors else "lm_head.weight"
    tied, weights = tables(
        tensors,
        {"target": (f"{prefix}embed_in.weight", vocabulary), "output": (output, vocabulary)},
        d,
        [(output, f"{prefix}embed_in.weight")],
        tied=fields.flag("tie_word_embeddings", False),
    )
    config: dict[str, Any] = {
        "architecture": "decoder",
        "target_vocabulary": vocabulary,
        "d_model": d,
        "heads": heads,
        "encoder_layers": 0,
        "decoder_layers": fields.count("num_hidden_layers"),
        "d_ff": fields.count("intermediate_size"),
        "norm": "pre",
        "norm_eps": fields.number("layer_norm_eps", 1e-5),
        "final_norm": True,
        "parallel": fields.flag("use_parallel_residual", True),
        "activation": fields.choose("hidden_act", ACTIVATIONS, "gelu"),
        "projection_bias": fields.flag("attention_bias", True),
        "scale_embedding": False,
        "output_bias": True,
        "tied_embeddings": tied,
        "dropout": fields.number("hidden_dropout", 0.0),
        "max_length": min(LONGEST, fields.count("max_position_embeddings")),
    }
    config |= rotary.positions(fields, d // heads, base=("rotary_emb_base", 10_000.0), share=("rotary_pct", 0.25))
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    weights |= tensors.norm(f"{prefix}final_layer_norm", "decoder_norm", d)
    for number in range(config["decoder_layers"]):
        weights |= _layer(tensors, f"{prefix}layers.{number}", f"decoder.{number}", config)
    tensors.account(_NOTHING)
    return Converted(config, weights)


FAMILIES = {"gpt_neox": gpt_neox}


def _layer(tensors: Tensors, theirs: str, ours: str, config: dict[str, Any]) -> dict[str, Tensor]:
    d, d_ff, bias = config["d_model"], config["d_ff"], config["projection_bias"]
    head_size = d // config["heads"]
    given = config.get("frequencies")
    turned = head_size if given is None else 2 * sum(map(bool, given))
    fused = tensors.linear(f"{theirs}.attention.query_key_value", "", d, 3 * d, bias=bias)
    weights: dict[str, Tensor] = {}
    for part, value in fused.items():
        for letter, own in zip("qkv", value.unflatten(0, (config["heads"], 3, head_size)).unbind(1), strict=True):
            rows = own.flatten(0, 1)  # (H · D, …)
            rows = rows if letter == "v" else rotary.paired(rows, head_size, turned)
            weights[f"{ours}.self_attention.{letter}{part}"] = rows
    weights |= tensors.linear(f"{theirs}.attention.dense", f"{ours}.self_attention.output", d, d, bias=bias)
    weights |= tensors.linear(f"{theirs}.mlp.dense_h_to_4h", f"{ours}.feed_forward.hidden", d, d_ff)
    weights |= tensors.linear(f"{theirs}.mlp.dense_4h_to_h", f"{ours}.feed_forward.output", d_ff, d)
    weights |= tensors.norm(f"{theirs}.input_layernorm", f"{ours}.residuals.0.norm", d)
    return weights | tensors.norm(f"{theirs}.post_attention_layernorm", f"{ours}.residuals.1.norm", d)
