"""The parts of a logit add up to it in every kind of model, and removing the last head takes away just its part."""

import dataclasses

import numpy as np
import pytest
import torch

from model.attribution import logit_parts
from model.attribution.why_question import Question
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load, random_model
from model.config import TransformerConfig
from model.decode.translate import translate
from model.edit.edit_effects import edited_values, generated
from model.edit.edits import zero
from tests.model.attribution.copier import GAIN, A, B, C, copier, passed
from tests.samples import KINO, SAMPLES, german_english

SMALL = TransformerConfig(d_model=16, heads=4, encoder_layers=2, decoder_layers=2, d_ff=24, source_vocabulary=1,
                          target_vocabulary=1, max_length=64)  # fmt: skip
CASES = {
    "post": {},
    "pre": {"norm": "pre", "final_norm": True},
    "none": {"norm": "none"},
    "rms, gated, grouped": {"norm": "pre", "norm_kind": "rms", "gated": True, "key_value_heads": 2, "final_norm": True},
    "textbook, biased output": {"norm_kind": "textbook", "output_bias": True},
    "norm of the embedding": {"embedding_norm": True, "position": "learned"},
    "relative, no biases": {"position": "relative", "projection_bias": False, "tied_embeddings": "all"},
    "decoder": {"architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0, "position": "rotary"},
    "parallel": {"architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0, "norm": "pre",
                 "parallel": True, "windows": (3, 0), "position": "none", "final_norm": True},
    "encoder": {"architecture": "encoder", "decoder_layers": 0},
}  # fmt: skip


def made(changes: dict) -> Checkpoint:
    """A small model with random weights, none of them 0, and the tokenizer of `de-en`."""
    tokenizer = german_english().tokenizer
    config = dataclasses.replace(SMALL, **changes)
    sizes = {name: tokenizer.size for name in ("source_vocabulary", "target_vocabulary") if getattr(config, name)}
    model = random_model(dataclasses.replace(config, **sizes), 3)
    generator = torch.Generator().manual_seed(0)
    for parameter in model.parameters():
        parameter += 0.2 * torch.randn(parameter.shape, generator=generator)
    return Checkpoint("made", model, tokenizer, trained=False)


@pytest.mark.parametrize("name", CASES)
def test_the_parts_add_up_to_the_logit(name: str) -> None:
    checkpoint = made(CASES[name])
    run = translate(checkpoint, KINO)
    row = len(run.target or run.source) - 2
    first, second = np.argsort(-run.trace.values["logits"][row])[:2]
    for rather in (None, int(second)):
        split = logit_parts.split_logit(checkpoint.model, Question(run, row, int(first), rather))
        assert split.total == pytest.approx(split.logit, abs=1e-3)
    heads = [part for part in split.parts if part.head is not None]
    kinds = len(run.trace.kinds) if checkpoint.model.config.architecture != "encoder-decoder" else 2
    assert len(heads) == 2 * 4 * kinds


@pytest.mark.parametrize("name", ["de-en", "gpt-char", "notebook-c", "llm-rotary"])
def test_the_parts_add_up_in_trained_models(name: str) -> None:
    checkpoint = load(Entry(SAMPLES / name))
    run = translate(checkpoint, Entry(SAMPLES / name).card["examples"][0])
    for row in range(len(run.target)):
        split = logit_parts.split_logit(checkpoint.model, Question(run, row, int(generated(run)[row])))
        assert split.total == pytest.approx(split.logit, abs=2e-3)


def test_without_norms_removing_a_last_head_takes_away_its_part() -> None:
    """The feed-forward behind it writes nothing here, so the direct part is all that the head does."""
    checkpoint = made({"norm": "none"})
    checkpoint.model.decoder[1].feed_forward.output.weight.zero_()
    run = translate(checkpoint, KINO)
    question = Question(run, 2, int(generated(run)[2]))
    split = logit_parts.split_logit(checkpoint.model, question)
    part = next(part for part in split.parts if (part.name, part.layer, part.head) == ("cross_attention", 1, 2))
    after = edited_values(checkpoint, run, [zero("decoder.1.cross_attention.head_outputs", head=2)])["logits"][
        2, question.word
    ]
    assert split.logit - part.value == pytest.approx(float(after), abs=1e-4)


def test_by_hand_all_of_it_comes_from_the_one_head() -> None:
    checkpoint = copier()
    question = Question(passed(checkpoint, B, C, A), row=3, word=A, rather=C)
    split = logit_parts.split_logit(checkpoint.model, question)
    assert split.logit == pytest.approx(GAIN / 4)
    assert {(part.name, part.head): part.value for part in split.parts if part.value} == {
        ("self_attention", 0): pytest.approx(GAIN / 4)
    }
