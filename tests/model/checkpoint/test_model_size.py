"""Sizes of models and traces, without building one."""

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest
import torch

from model import presets
from model.checkpoint import length_limit, model_size
from model.config import TransformerConfig
from model.decode.recorded_pass import trace
from model.initial_weights import count_parameters
from model.tokenization.tokenizer import Tokenizer
from model.transformer import Transformer


def configs() -> Iterable[TransformerConfig]:
    for preset in presets.PRESETS.values():
        yield preset.config if preset.config.inputs == "numbers" else presets.with_vocabulary(preset.config, 50)
    alone = {
        "architecture": "encoder",
        "decoder_layers": 0,
        "position": "learned",
        "embedding_norm": True,
        "segments": 2,
    }
    for more in ({"target_vocabulary": 0}, {"target_vocabulary": 11, "output_transform": True, "output_bias": True}):
        yield TransformerConfig(
            source_vocabulary=11, d_model=12, heads=3, encoder_layers=3, d_ff=7, max_length=9, embedding_size=5,
            labels=("a", "b"), label_activation="tanh", shared_layers=True,
            tied_embeddings="target" if more["target_vocabulary"] else "none", **alone, **more,
        )  # fmt: skip
    draw = random.Random(1)
    common = {"source_vocabulary": 11, "target_vocabulary": 11, "d_model": 12, "heads": 3, "d_ff": 7, "max_length": 9}
    for architecture in ("encoder-decoder", "encoder", "decoder"):
        for _ in range(20):
            norm = draw.choice(["pre", "post", "none"])
            sides = {
                "source_vocabulary": 0 if architecture == "decoder" else 11,
                "encoder_layers": 0 if architecture == "decoder" else 2,
                "decoder_layers": 0 if architecture == "encoder" else 3,
            }
            rotary = {"unrotated": (1,), "windows": (4, 0, 2)} if draw.random() < 0.5 else {}
            yield TransformerConfig(
                **common
                | sides
                | {
                    "architecture": architecture,
                    "norm": norm,
                    "final_norm": norm != "none" and draw.random() < 0.5,
                    "projection_bias": draw.random() < 0.5,
                    "feed_forward_bias": draw.random() < 0.5,
                    "output_bias": draw.random() < 0.5,
                    "position": draw.choice(["sinusoidal", "learned", "relative", "rotary", "alibi", "none"]),
                    "tied_embeddings": draw.choice(
                        ["none", "target", "all"] + ["sides"] * (architecture == "encoder-decoder")
                    ),
                    "norm_kind": draw.choice(["torch", "rms"]),
                    "embedding_norm": draw.random() < 0.5,
                    "gated": draw.random() < 0.5,
                    "head_size": draw.choice([0, 6]),
                    "key_value_heads": draw.choice([0, 1]),
                    "output_transform": draw.random() < 0.5,
                    "query_key_norm": draw.random() < 0.5,
                }
                | (rotary | {"position": "rotary", "head_size": 6} if rotary and architecture == "decoder" else {})
            )


def test_parameters_are_known_without_building() -> None:
    for config in configs():
        with torch.device("meta"):
            assert model_size.parameters(config) == count_parameters(Transformer(config))["total"], config


@pytest.mark.parametrize("architecture", ["encoder-decoder", "encoder", "decoder"])
def test_the_size_of_a_trace_is_known_without_a_pass(architecture: str) -> None:
    tokenizer = Tokenizer.characters(["abc"], ())
    for config in (config for config in configs() if config.architecture == architecture and config.heads == 3):
        model = Transformer(config).eval()
        ids = [1, 4, 5, 6, 5, 2]
        source = [] if architecture == "decoder" else ids
        target = [] if architecture == "encoder" else ids
        values = trace(model, tokenizer, source, target).values
        assert length_limit.trace_values(config, len(ids)) == sum(value.size for value in values.values()), config


@pytest.mark.parametrize("size", [1000, 58_000, 150_000])
def test_a_sentence_is_as_long_as_its_recorded_pass_fits(size: int) -> None:
    config = TransformerConfig(source_vocabulary=size, target_vocabulary=size, max_length=2048)
    longest = length_limit.readable_tokens(config)
    assert 4 * length_limit.trace_values(config, longest) <= length_limit.TRACE_BYTES
    assert 4 * length_limit.trace_values(config, longest + 1) > length_limit.TRACE_BYTES
    assert length_limit.readable_tokens(replace(config, max_length=30)) == 30
