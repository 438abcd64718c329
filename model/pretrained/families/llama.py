"""Llama and its relatives: decoders alone with rotary positions, RMSNorm and a gated feed-forward network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.errors import InvalidInput
from model.pretrained.converted import ACTIVATIONS, LONGEST, Converted, Fields
from model.pretrained.families import rotary
from model.pretrained.families.tables import tables
from model.pretrained.tensors import BUFFER, Tensors

_TIES = [("lm_head.weight", "embed_tokens.weight")]
_WINDOW_IN_ALL, _WINDOW_IF_USED = ("mistral", "phi3"), ("qwen2", "qwen3", "smollm3")
_NOTHING = {r".*rotary_emb\.inv_freq": BUFFER}


@dataclass(frozen=True)
class _Kind:
    """What the classes of transformers differ in: the values of fields that a config.json leaves out, and biases."""

    tied: bool = False
    head_size: int = 0
    base: float = 10_000.0
    bias: bool | None = None  # of q, k and v, and of the output; None: the field `attention_bias` says both
    output_bias: bool | None = None
    mlp_bias: bool = False  # whether there is a field of that name
    query_key_norm: bool = False
    eps: float = 1e-6
    fused: bool = False  # q, k and v are one tensor, and so are the two products of the feed-forward network
    partial: bool = False  # a part of each head may be rotated


_KINDS = {
    "llama": _Kind(mlp_bias=True),
    "mistral": _Kind(bias=False, output_bias=False),
    "qwen2": _Kind(bias=True, output_bias=False),
    "qwen3": _Kind(head_size=128, query_key_norm=True),
    "smollm3": _Kind(tied=True, base=2_000_000.0, mlp_bias=True),
    "gemma": _Kind(tied=True, head_size=256),
    "phi3": _Kind(eps=1e-5, bias=False, output_bias=False, fused=True, partial=True),
}


def llama(fields: Fields, tensors: Tensors) -> Converted:
    """Llama, TinyLlama, SmolLM, Qwen2, Qwen3, Mistral, SmolLM3, Phi-3.

    Rotary positions turn pairs that stand half a head apart there, and side by side here: the rows of q and k change
    places. Where only q, k and v have a bias (Qwen2), the output gets one of zeros.
    """
    return _converted(fields, tensors, {"activation": fields.choose("hidden_act", ACTIVATIONS, "silu")})


def gemma(fields: Fields, tensors: Tensors) -> Converted:
    """Gemma, the first one: its norms scale by 1 + w, and its embedding by √d_model."""
    fields.need("use_bidirectional_attention", False, False)
    activation = fields.choose("hidden_act", ACTIVATIONS | {"gelu": "gelu-tanh"}, "gelu_pytorch_tanh")
    converted = _converted(fields, tensors, {"scale_embedding": True, "activation": activation})
    for name, value in converted.weights.items():
        if "norm" in name:
            converted.weights[name] = 1 + value
    return converted


FAMILIES = dict.fromkeys(_KINDS, llama) | {"gemma": gemma}


def _converted(fields: Fields, tensors: Tensors, own: dict[str, Any]) -> Converted:
    kind = _KINDS[str(fields.get("model_type"))]
    d, vocabulary = fields.count("hidden_size"), fields.count("vocab_size")
    heads, layers = fields.count("num_attention_heads"), fields.count("num_hidden_layers")
    head_size = fields.count("head_dim", default=kind.head_size or d // heads)
    said = fields.flag("attention_bias", False)
    bias = said if kind.bias is None else kind.bias
    output_bias = said if kind.output_bias is None else kind.output_bias
    prefix = tensors.prefix("model.")
    tied, weights = tables(
        tensors,
        {"target": (f"{prefix}embed_tokens.weight", vocabulary), "output": ("lm_head.weight", vocabulary)},
        d,
        [(name, prefix + source) for name, source in _TIES],
        tied=fields.flag("tie_word_embeddings", kind.tied),
    )
    config: dict[str, Any] = {
        "architecture": "decoder",
        "target_vocabulary": vocabulary,
        "d_model": d,
        "heads": heads,
        "head_size": head_size if head_size * heads != d else 0,
        "key_value_heads": fields.count("num_key_value_heads", default=heads),
        "encoder_layers": 0,
        "decoder_layers": layers,
        "d_ff": fields.count("intermediate_size"),
        "norm": "pre",
        "norm_kind": "rms",
        "norm_eps": fields.number("rms_norm_eps", kind.eps),
        "final_norm": True,
        "gated": True,
        "projection_bias": bias,
        "query_key_norm": kind.query_key_norm,
        "feed_forward_bias": kind.mlp_bias and fields.flag("mlp_bias", False),
        "output_bias": True,
        "windows": _windows(fields, layers),
        "unrotated": tuple(n for n, turns in enumerate(_rotated(fields, layers)) if not turns),
        "scale_embedding": False,
        "tied_embeddings": tied,
        "dropout": 0.0,
        "max_length": min(LONGEST, fields.count("max_position_embeddings")),
    }
    turned = rotary.positions(fields, head_size, base=("rope_theta", kind.base), share=("partial_rotary_factor", 1.0))
    if not kind.partial and not all(turned.get("frequencies", ())):
        raise InvalidInput("import_field", field="partial_rotary_factor", value="< 1", choices="1")
    config |= turned | own
    weights["output.bias"] = weights["target_embedding.weight"].new_zeros(vocabulary)
    weights |= tensors.norm(f"{prefix}norm", "decoder_norm", d, bias=False)
    for number in range(layers):
        theirs, ours = f"{prefix}layers.{number}", f"decoder.{number}"
        weights |= _layer(tensors, theirs, ours, config, head_size, kind, output_bias=output_bias)
    tensors.account(_NOTHING)
    return Converted(config, weights)


def _rotated(fields: Fields, layers: int) -> list[int]:
    """For each layer whether it has rotary positions: SmolLM3 leaves them out in every few layers."""
    if fields.get("model_type") != "smollm3":
        return [1] * layers
    every = fields.count("no_rope_layer_interval", default=4)
    return fields.get("no_rope_layers") or [int((number + 1) % every != 0) for number in range(layers)]


def _windows(fields: Fields, layers: int) -> tuple[int, ...]:
    """How many tokens each layer sees; none where no text is long enough for a window to hide anything."""
    family = str(fields.get("model_type"))
    in_all = family in _WINDOW_IN_ALL
    if not (in_all or (family in _WINDOW_IF_USED and fields.flag("use_sliding_window", False))):
        return ()
    if fields.value("sliding_window", 1) is None:
        return ()
    window = fields.count("sliding_window", default=4096)
    if window >= min(LONGEST, fields.count("max_position_embeddings")):
        return ()
    if in_all:
        fields.need("layer_types", None)  # which only some versions of transformers follow there
    kinds = fields.get("layer_types") or _kinds(fields, layers)
    windows = tuple(window if kind == "sliding_attention" else 0 for kind in kinds)
    return windows if any(windows) else ()


def _kinds(fields: Fields, layers: int) -> list[str]:
    """The kind of each layer where the config does not list them."""
    family = fields.get("model_type")
    if family == "smollm3":
        sliding = [not turns for turns in _rotated(fields, layers)]
    else:  # Qwen's first layers see everything
        first = 0 if family in _WINDOW_IN_ALL else int(fields.number("max_window_layers", 28))
        sliding = [number >= first for number in range(layers)]
    return ["sliding_attention" if each else "full_attention" for each in sliding]


def _layer(
    tensors: Tensors, theirs: str, ours: str, config: dict, head_size: int, kind: _Kind, *, output_bias: bool
) -> dict[str, Tensor]:
    d, d_ff, bias = config["d_model"], config["d_ff"], config["projection_bias"]
    width, kv_width = config["heads"] * head_size, config["key_value_heads"] * head_size
    turned = 2 * sum(map(bool, config["frequencies"])) if config.get("frequencies") else head_size
    own, network = f"{ours}.self_attention", f"{ours}.feed_forward"
    weights = _products(
        tensors, f"{theirs}.self_attn", "qkv_proj" if kind.fused else "",
        {f"{own}.q": ("q_proj", width), f"{own}.k": ("k_proj", kv_width), f"{own}.v": ("v_proj", kv_width)},
        d, bias=bias,
    )  # fmt: skip
    for name in [name for name in weights if f"{own}.v" not in name]:
        weights[name] = rotary.paired(weights[name], head_size, turned)
    output = f"{own}.output"
    weights |= tensors.linear(f"{theirs}.self_attn.o_proj", output, width, d, bias=output_bias)
    if bias and not output_bias:
        weights[f"{output}.bias"] = torch.zeros(d)
    if config["query_key_norm"]:
        for letter in "qk":
            gain = tensors.take(f"{theirs}.self_attn.{letter}_norm.weight", head_size)
            weights[f"{own}.norms.{letter}.weight"] = rotary.paired(gain, head_size, head_size)
    bias = config["feed_forward_bias"]
    weights |= _products(
        tensors, f"{theirs}.mlp", "gate_up_proj" if kind.fused else "",
        {f"{network}.gate": ("gate_proj", d_ff), f"{network}.hidden": ("up_proj", d_ff)}, d, bias=bias,
    )  # fmt: skip
    weights |= tensors.linear(f"{theirs}.mlp.down_proj", f"{network}.output", d_ff, d, bias=bias)
    weights |= tensors.norm(f"{theirs}.input_layernorm", f"{ours}.residuals.0.norm", d, bias=False)
    return weights | tensors.norm(f"{theirs}.post_attention_layernorm", f"{ours}.residuals.1.norm", d, bias=False)


def _products(
    tensors: Tensors, theirs: str, fused: str, into: dict[str, tuple[str, int]], d: int, *, bias: bool
) -> dict[str, Tensor]:
    """Linear layers that read the same: our name -> (theirs, outputs). `fused` names the one that holds all of them."""
    if not fused:
        return {
            name: value
            for ours, (own, outputs) in into.items()
            for name, value in tensors.linear(f"{theirs}.{own}", ours, d, outputs, bias=bias).items()
        }
    sizes = [outputs for _, outputs in into.values()]
    weight = tensors.take(f"{theirs}.{fused}.weight", sum(sizes), d)
    return {f"{ours}.weight": part for ours, part in zip(into, weight.split(sizes), strict=True)}
