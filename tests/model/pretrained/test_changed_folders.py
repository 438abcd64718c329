"""Folders with one change each: none is imported that computes something else than transformers does with it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.errors import InvalidInput
from model.pretrained import importing, proof
from model.pretrained.folder import Folder
from model.tokenization.tokenizer import SPECIALS
from tests.model.pretrained.small import FAMILIES

CHANGES, SEED = 500, 57
CONFIG, WEIGHTS = "config.json", "model.safetensors"
# what people write by hand, or find in the config of a relative
WRITTEN = {
    "rope_scaling": [
        {"rope_type": "linear", "factor": 2.0},
        {"type": "yarn", "factor": 4.0},
        {"type": "dynamic", "factor": 2.0},
    ],
    "rope_parameters": [
        {"rope_type": "default", "rope_theta": 77.0},
        {"rope_type": "linear", "factor": 3.0, "rope_theta": 9.0},
    ],
    "sliding_window": [3], "use_sliding_window": [True], "max_window_layers": [1, 0], "window_size": [3],
    "layer_types": [["sliding_attention", "full_attention"], ["full_attention", "sliding_attention"]],
    "no_rope_layers": [[0, 1], [1, 0]], "no_rope_layer_interval": [1, 2, 3], "num_key_value_heads": [1, 2, 4],
    "head_dim": [4, 6, 8], "partial_rotary_factor": [0.5], "rotary_pct": [0.5, 1.0], "rotary_emb_base": [77],
    "rope_theta": [77.0], "attention_bias": [True, False], "mlp_bias": [True], "tie_word_embeddings": [True, False],
    "relative_attention_num_buckets": [16, 8], "relative_attention_max_distance": [20, 64], "dense_act_fn": ["relu"],
    "is_gated_act": [True, False],
    "feed_forward_proj": ["relu", "gated-gelu", "gated-silu", "gelu", "gated-gelu_new"],
    "attention_types": [[[["local", "global"], 1]], [[["global"], 2]]], "normalize_before": [True],
    "scale_embedding": [True, False], "is_decoder": [True], "add_cross_attention": [True],
    "position_embedding_type": ["relative_key"], "use_parallel_residual": [True, False],
    "scale_attn_weights": [False], "scale_attn_by_inverse_layer_idx": [True], "do_layer_norm_before": [True, False],
    "_remove_final_layer_norm": [True], "decoder_attention_heads": [2], "decoder_vocab_size": [40],
    "scale_decoder_outputs": [True, False], "use_bidirectional_attention": [True], "embedding_size": [16],
    "num_hidden_groups": [2], "pad_token_id": [0, 1, 2], "decoder_start_token_id": [1, 3], "num_decoder_layers": [1],
    "share_encoder_decoder_embeddings": [True, False], "n_inner": [20],
    "problem_type": ["multi_label_classification"], "architectures": [["AutoModel"]], "hidden_activation": ["silu"],
    "attn_logit_softcapping": [30.0], "logit_scale": [0.5],
}  # fmt: skip
ACTIVATIONS = ["relu", "gelu", "gelu_new", "silu", "tanh", "quick_gelu", "gelu_fast", "gelu_10"]

TABLES = ("shared.weight", "embed_tokens.weight", "wte.weight", "embed_in.weight", "word_embeddings.weight")
TIED = (
    "lm_head.weight", "shared.weight", "model.shared.weight", "encoder.embed_tokens.weight", "embed_out.weight",
    "decoder.embed_tokens.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
    "cls.predictions.decoder.weight", "lm_head.decoder.weight", "vocab_projector.weight", "predictions.decoder.weight",
    "generator_lm_head.weight",
)  # fmt: skip


def copied(original: Path, folder: Path) -> Path:
    folder.mkdir()
    for file in original.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def changed_field(fields: dict[str, Any], draw: random.Random) -> str:
    """Another value of one field: of the config's own, or one that a relative has."""
    own = [name for name in fields if name not in ("model_type", "architectures", "transformers_version", "dtype")]
    name = draw.choice([*own, *WRITTEN])
    value = fields.get(name)
    if name in WRITTEN:
        new: Any = draw.choice(WRITTEN[name])
    elif isinstance(value, bool):
        new = not value
    elif isinstance(value, int):
        new = draw.choice([value + 1, 2 * value, max(1, value // 2), value - 1])
    elif isinstance(value, float):
        new = draw.choice([value * 3, value / 3])
    elif isinstance(value, str):
        new = draw.choice(ACTIVATIONS)
    else:
        new = None
    if name not in WRITTEN and draw.random() < 0.25:
        del fields[name]
        return f"without {name}"
    fields[name] = new
    return f"{name}: {value} → {new}"


def changed_tensor(tensors: dict[str, torch.Tensor], draw: random.Random) -> str:
    """One tensor fewer, more, of another name, or with other numbers under a second name."""
    name = draw.choice(sorted(tensors))
    tables = [each for each in tensors if each.endswith(TABLES)]
    kind = draw.choice(["drop", "rename", "extra", "copy", "other"])
    if kind == "drop":
        del tensors[name]
        return f"without {name}"
    if kind == "rename":
        new = name.replace(
            *draw.choice(
                [("weight", "gamma"), ("bias", "beta"), ("model.", ""), ("layers.1", "layers.2"), (".0.", ".1.")]
            )
        )
        tensors[new] = tensors.pop(name)
        return f"{name} as {new}"
    if kind == "extra":
        new = draw.choice([f"{name}_scale", name.replace("weight", "bias"), "lm_head.bias", "lora_A.weight"])
        tensors[new] = tensors[name].clone()
        return f"{new} too"
    table, new = tensors[draw.choice(tables)], draw.choice(TIED)
    tensors[new] = table.clone() if kind == "copy" else torch.randn_like(table)
    return f"{new} {'again' if kind == 'copy' else 'of its own'}"


def changed(original: Path, folder: Path, draw: random.Random) -> str:
    copied(original, folder)
    if draw.random() < 0.6:
        fields = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        what = changed_field(fields, draw)
        (folder / CONFIG).write_text(json.dumps(fields), encoding="utf-8")
        return what
    tensors = load_file(folder / WEIGHTS)
    what = changed_tensor(tensors, draw)
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, folder / WEIGHTS, {"format": "pt"})
    return what


def worst(folder: Path) -> float:
    """The largest difference from transformers, over ids of all kinds. Raises `InvalidInput` if one of both refuses."""
    imported = importing.convert(Folder(folder))
    checkpoint, numbering = imported.checkpoint, imported.numbering
    original, _ = proof.read(folder, checkpoint)
    config = checkpoint.model.config
    ids = list(range(len(SPECIALS), min(len(numbering.target), len(SPECIALS) + 24)))
    source, target = (
        (ids if config.architecture != "decoder" else []),
        (ids if config.architecture != "encoder" else []),
    )
    given = {"input_ids": torch.tensor([[numbering.source[id_] for id_ in source]])}
    return max(each for _, each in proof.differences(original, checkpoint, numbering, source, target, given))


def cases() -> Iterator[tuple[int, str]]:
    names = list(FAMILIES)
    yield from ((number, names[number % len(names)]) for number in range(CHANGES))


@pytest.mark.filterwarnings("ignore:.rope_scaling. is deprecated")  # configs of older versions have it
@pytest.mark.sample(12)
@pytest.mark.parametrize(("number", "family"), list(cases()))
def test_a_changed_folder_is_refused_or_right(
    number: int, family: str, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    what = changed(originals(family), tmp_path / "changed", random.Random(SEED * 1000 + number))
    try:
        difference = worst(tmp_path / "changed")
    except InvalidInput:  # also where transformers cannot compute it: then nothing is right or wrong
        return
    assert difference <= proof.MOST, f"{family}, {what}: {difference}"
