"""The sheet: everything is on it, and each number is what its rule gives."""

import dataclasses
import random

import numpy as np
import pytest
import torch

from model.analysis.sheet.build import build
from model.analysis.sheet.cell import Mark, cell
from model.analysis.sheet.difference import between
from model.analysis.sheet.parts import Sheet
from model.config import TransformerConfig
from model.decode.translate import translate
from model.edit import edits
from model.edit.edit_effects import edited_values
from model.trace import Recorder, Trace
from model.transformer import Transformer
from tests.samples import KINO, german_english

SMALL = TransformerConfig(
    source_vocabulary=11, target_vocabulary=13, d_model=8, heads=2, encoder_layers=2, decoder_layers=2, d_ff=12,
    max_length=16,
)  # fmt: skip
CONFIGS = {
    "post": {},
    "pre": {"norm": "pre", "final_norm": True},
    "none": {"norm": "none"},
    "textbook": {"norm_kind": "textbook"},
    "gelu": {"activation": "gelu", "projection_bias": False, "output_bias": False},
    "learned": {"position": "learned"},
    "no position": {"position": "none", "scale_embedding": False},
    "tied": {"source_vocabulary": 13, "tied_embeddings": "all"},
    "one head": {"heads": 1, "encoder_layers": 1, "decoder_layers": 3},
    "encoder": {"architecture": "encoder", "decoder_layers": 0, "target_vocabulary": 0, "causal_encoder": True},
    "decoder": {"architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0},
    "parallel": {
        "architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0, "norm": "pre", "parallel": True,
        "position": "rotary", "frequencies": (0.7, 0.0), "windows": (0, 2),
    },
    "queries and keys normed": {
        "architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0, "norm": "pre", "norm_kind": "rms",
        "position": "rotary", "query_key_norm": True, "unrotated": (1,),
    },
    "narrow embedding": {
        "architecture": "encoder", "decoder_layers": 0, "source_vocabulary": 11, "target_vocabulary": 11,
        "embedding_size": 6, "embedding_norm": True, "output_transform": True, "output_activation": "tanh",
        "tied_embeddings": "target", "position": "learned",
    },
    "label of a sentence": {
        "architecture": "encoder", "decoder_layers": 0, "target_vocabulary": 0, "labels": ("a", "b", "c"),
        "label_activation": "tanh",
    },
    "label of each token": {
        "architecture": "encoder", "decoder_layers": 0, "target_vocabulary": 0, "labels": ("a", "b"),
        "label_each": True,
    },
    "two texts": {
        "architecture": "encoder", "decoder_layers": 0, "target_vocabulary": 0, "segments": 2, "separator": 5,
        "position": "learned", "embedding_norm": True,
    },
    "a later start": {"position_start": 2, "position_base": 500.0},
}  # fmt: skip


def of(name: str) -> tuple[Transformer, Trace, Sheet]:
    torch.manual_seed(3)
    model = Transformer(dataclasses.replace(SMALL, **CONFIGS[name])).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    source = [1, 5, 7, 2] if model.config.encoder_layers else []
    target = [1, 4, 9] if model.config.decoder_layers else []
    recorder = Recorder()
    with torch.inference_mode():
        model(
            torch.tensor([source]) if source else None,
            torch.tensor([target]) if target else None,
            torch.ones(1, 4, dtype=torch.bool) if source else None,
            recorder,
        )
    trace = Trace(
        recorder.values, tuple("abcd"[: len(source)]), tuple("xyz"[: len(target)]), tuple("yzw"[: len(target)])
    )
    return model, trace, build(model, trace, source, target)


@pytest.mark.parametrize("name", CONFIGS)
def test_every_weight_and_every_recorded_value_is_on_the_sheet_once(name: str) -> None:
    model, trace, sheet = of(name)
    for value_name, values in trace.values.items():
        of_value = [
            part for part in sheet.parts.values() if part.kind == "value" and part.name.split("[")[0] == value_name
        ]
        assert {part.recorded for part in of_value} == {values.shape}
        np.testing.assert_array_equal(np.stack([part.array for part in of_value]).reshape(values.shape), values)
    for parameter_name, parameter in model.named_parameters():
        parts_of_value = [
            part for part in sheet.parts.values() if part.kind == "weight" and part.name.split("[")[0] == parameter_name
        ]
        whole = np.concatenate([part.array for part in parts_of_value], axis=1)
        value = np.atleast_2d(parameter.detach().numpy())
        assert whole.shape in (value.shape, value.T.shape), parameter_name
        assert np.sort(whole, axis=None).tobytes() == np.sort(value, axis=None).tobytes(), parameter_name


@pytest.mark.parametrize("name", CONFIGS)
def test_every_number_is_what_its_rule_gives(name: str) -> None:
    """The rules are worked out in double precision from the operands, and torch computed the pass."""
    _, _, sheet = of(name)
    draw = random.Random(name)
    for key, part in sheet.parts.items():
        for _ in range(4):
            row, column = (draw.randrange(size) for size in part.array.shape)
            answer = cell(sheet, key, row, column)
            assert not answer.changed, (key, row, column, answer)
            assert (answer.result is None) == (part.kind == "weight"), key
            for mark in answer.marks:
                rows, columns = sheet.parts[mark.key].array.shape
                assert (mark.row or 0) < rows, key
                assert (mark.column or 0) < columns, key


def test_a_product_names_its_row_its_column_and_every_factor() -> None:
    model, trace, sheet = of("post")
    key = "decoder.1.cross_attention.k[1]"
    answer = cell(sheet, key, 2, 3)
    weight = model.decoder[1].cross_attention.k.weight[4 + 3].detach().numpy()  # head 1 has rows 4 to 7 of torch's
    memory = trace.values["encoder.output"][2]
    assert [pair[0] for pair in answer.terms] == pytest.approx(memory.tolist())
    assert [pair[1] for pair in answer.terms] == pytest.approx(weight.tolist())
    name = "decoder.1.cross_attention"
    assert answer.marks == (
        Mark(f"{name}.memory", 2, None), Mark(f"{name}.k.weight[1]", None, 3), Mark(f"{name}.k.bias[1]", 0, 3),
    )  # fmt: skip


def test_a_hidden_score_and_its_weight() -> None:
    _, _, sheet = of("pre")
    masked = cell(sheet, "decoder.0.self_attention.masked_scores[0]", 0, 2)
    assert masked.value == -np.inf
    assert masked.numbers["hidden"] == 1
    weight = cell(sheet, "decoder.0.self_attention.weights[0]", 0, 2)
    assert (weight.value, weight.numbers["power"]) == (0, 0)


def test_a_changed_value_is_said_to_break_its_rule_and_the_difference_begins_there() -> None:
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    original = build(checkpoint.model, run.trace, run.source, run.target)
    off = edits.zero("encoder.1.self_attention.head_outputs", head=2)
    values = edited_values(checkpoint, run, [off])
    new_sheet = build(checkpoint.model, dataclasses.replace(run.trace, values=values), run.source, run.target)
    assert cell(new_sheet, "encoder.1.self_attention.head_outputs[2]", 1, 5).changed
    difference = between(original, new_sheet)
    before, after = (not np.any(difference.parts[f"encoder.{n}.feed_forward.residual"].array) for n in (0, 1))
    assert (before, after) == (True, False)
    at = cell(difference, "encoder.1.self_attention.head_outputs[2]", 1, 5)
    assert at.terms[1] == (0.0,)
    assert at.value == pytest.approx(-at.terms[0][0])
