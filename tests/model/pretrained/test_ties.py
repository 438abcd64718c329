"""Tables that are one tensor or several, whatever the config says: what the file holds counts, as in transformers 5."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model.errors import InvalidInput
from model.pretrained import importing
from model.pretrained.card import Origin
from tests.model.pretrained.small import build

WEIGHTS = "model.safetensors"
Tensors = dict[str, Tensor]


def own(name: str, like: str) -> Callable[[Tensors], Tensors]:
    """Another tensor of that name."""
    return lambda tensors: tensors | {name: torch.randn(tensors[like].shape, generator=torch.manual_seed(3))}


def moved(name: str, to: str) -> Callable[[Tensors], Tensors]:
    """The one copy stands under another of its names."""
    return lambda tensors: {to if key == name else key: tensor for key, tensor in tensors.items()}


SHARED, BART, WORDS = "shared.weight", "model.shared.weight", "{}.embeddings.word_embeddings.weight"
CASES = {
    "T5's encoder has its own": ("t5", own("encoder.embed_tokens.weight", SHARED), {}),
    "T5's decoder has its own": ("t5", own("decoder.embed_tokens.weight", SHARED), {}),
    "BART's encoder has its own": ("bart", own("model.encoder.embed_tokens.weight", BART), {}),
    "Marian's decoder has its own": ("marian", own("model.decoder.embed_tokens.weight", BART), {}),
    "BART's output is its own": ("bart", own("lm_head.weight", BART), {}),
    "Pegasus's output is its own": ("pegasus", own("lm_head.weight", BART), {}),
    "the config says tied": ("gpt2", own("lm_head.weight", "transformer.wte.weight"), {}),
    "the config does not say": ("qwen3", own("lm_head.weight", "model.embed_tokens.weight"), {}),
    "OPT's output is its own": ("opt", own("lm_head.weight", "model.decoder.embed_tokens.weight"), {}),
    "OPT's narrow output is its own": ("opt-350m", own("lm_head.weight", "model.decoder.embed_tokens.weight"), {}),
    "BERT's output is its own": (
        "bert",
        lambda tensors: own("cls.predictions.decoder.weight", WORDS.format("bert"))(
            tensors | {"cls.predictions.decoder.bias": torch.randn_like(tensors["cls.predictions.bias"])}
        ),
        {"tie_word_embeddings": False},
    ),
    "T5's one copy is the output": ("t5", moved(SHARED, "lm_head.weight"), {}),
    "T5's one copy is the decoder's": ("t5", moved(SHARED, "decoder.embed_tokens.weight"), {}),
    "GPT-2's one copy is the output": ("gpt2", moved("transformer.wte.weight", "lm_head.weight"), {}),
    "Qwen3's one copy is the output": ("qwen3", moved("model.embed_tokens.weight", "lm_head.weight"), {}),
    "BERT's one copy is the output": ("bert", moved(WORDS.format("bert"), "cls.predictions.decoder.weight"), {}),
    "RoBERTa's one copy is the output": ("roberta", moved(WORDS.format("roberta"), "lm_head.decoder.weight"), {}),
}


def laid(folder: Path, family: str, change: Callable[[Tensors], Tensors], fields: dict[str, object]) -> Path:
    build(family, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | fields))
    tensors = {name: tensor.contiguous() for name, tensor in change(load_file(folder / WEIGHTS)).items()}
    save_file(tensors, folder / WEIGHTS, {"format": "pt"})
    return folder


@pytest.mark.parametrize("case", CASES)
def test_what_the_file_holds_is_what_is_computed(case: str, tmp_path: Path) -> None:
    folder = laid(tmp_path / "original", *CASES[case])
    entry = importing.import_folder(folder, tmp_path, "own", Origin("own"), check=True)
    assert entry.card["checked"]["difference"] < 1e-5


@pytest.mark.parametrize(
    ("family", "change", "fields"),
    [
        ("bert", lambda tensors: tensors, {"tie_word_embeddings": False}),  # its output is nowhere
        ("llama", lambda tensors: {k: v for k, v in tensors.items() if k != "lm_head.weight"}, {}),
        ("t5", lambda tensors: {k: v for k, v in tensors.items() if k != SHARED}, {}),
    ],
)
def test_a_table_that_is_nowhere_is_named(
    family: str, change: Callable[[Tensors], Tensors], fields: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput) as refused:
        importing.import_folder(laid(tmp_path / "original", family, change, fields), tmp_path, "own", Origin("own"))
    assert refused.value.code == "import_missing"
