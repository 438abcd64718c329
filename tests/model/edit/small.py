"""Small models of every architecture, with passes through them."""

from dataclasses import replace
from typing import Any

import numpy as np
import torch

from model import presets
from model.checkpoint import catalogue, checkpoints
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.edit import change_edits, edit_effects, notation
from model.edit.edited_pass import Edit, compose
from model.parts.key_values import LayerCache
from model.trace import Recorder, Tap
from model.transformer import Transformer
from tests.samples import german_english

SOURCE = torch.tensor([[1, 5, 9, 7, 2]])


OTHER = torch.tensor([[1, 6, 3, 8, 2]])


TARGET = torch.tensor([[1, 4, 8, 3]])


BATCH = torch.tensor([[1, 5, 9, 7, 2], [1, 6, 2, 0, 0]])


SMALL: dict[str, Any] = {"d_model": 16, "heads": 2, "d_ff": 24, "max_length": 64}


CONFIGS = {
    "encoder-decoder": TransformerConfig(
        source_vocabulary=23, target_vocabulary=19, encoder_layers=2, decoder_layers=1, **SMALL
    ),
    "encoder of vectors": TransformerConfig(
        architecture="encoder", source_vocabulary=23, encoder_layers=2, decoder_layers=0, final_norm=True, **SMALL
    ),
    "encoder with logits, learned position": TransformerConfig(
        architecture="encoder", source_vocabulary=23, target_vocabulary=23, encoder_layers=1, decoder_layers=0,
        position="learned", **SMALL,
    ),
    "decoder": TransformerConfig(
        architecture="decoder", target_vocabulary=23, encoder_layers=0, decoder_layers=2, position="learned", **SMALL
    ),
    "decoder without position": TransformerConfig(
        architecture="decoder", target_vocabulary=23, encoder_layers=0, decoder_layers=1, position="none", **SMALL
    ),
    "numbers": TransformerConfig(
        architecture="encoder", inputs="numbers", encoder_layers=1, decoder_layers=0, causal_encoder=True, **SMALL
    ),
}  # fmt: skip


def built(kind: str) -> Transformer:
    torch.manual_seed(0)
    return Transformer(CONFIGS[kind]).eval()


def run(model: Transformer, *changes: Edit, source: torch.Tensor = SOURCE) -> dict[str, np.ndarray]:
    """Every value of a pass under edits."""
    recorder = Recorder(compose(model, *changes))
    with torch.inference_mode():
        model(source, TARGET, torch.ones_like(source, dtype=torch.bool), recorder)
    return recorder.values


def stepwise(model: Transformer, target: torch.Tensor, tap: Tap) -> torch.Tensor:
    """Logits (B, T, V) of a cached run that reads the target token by token."""
    alone = model.config.architecture == "decoder"
    with torch.inference_mode():
        mask = None if alone else torch.ones_like(SOURCE, dtype=torch.bool)
        memory = None if mask is None else model.encode(SOURCE, mask, tap)
        caches = [LayerCache() for _ in model.decoder]
        return torch.cat([model.decode(token, memory, mask, tap, caches) for token in target.split(1, dim=1)], dim=1)


def untrained(name: str) -> Checkpoint:
    return checkpoints.load(catalogue.untrained(0)[f"untrained-{name}"])


def causal_encoder() -> Checkpoint:
    """An encoder alone whose tokens see none behind them."""
    bert = presets.find("bert")
    config = replace(bert.config, causal_encoder=True)
    return checkpoints.untrained(replace(bert, config=config), 0, german_english().tokenizer)


def after(checkpoint: Checkpoint, run: Translation, spelled: str) -> edit_effects.Outcome:
    result, bad = notation.read(spelled)
    assert bad == []
    padded = change_edits.padding(result)
    edits = [edit for one in result if one.on for edit in change_edits.edits_of(checkpoint, run, one, padded)]
    return edit_effects.outcome(checkpoint, run, edits, padded)
