"""One pass over a sentence: without a mask nothing counts as padding, and padding after the source changes nothing."""

import pytest
import torch

from model import masks, presets
from model.checkpoint.checkpoints import untrained
from model.config import Architecture
from model.decode.recorded_pass import one_pass, recorded
from model.transformer import Transformer
from tests.samples import german_english

SOURCE, TARGET = (1, 5, 9, 7, 2), (1, 6, 8)
PRESETS: dict[Architecture, str] = {"encoder-decoder": "notebook", "encoder": "mini-encoder", "decoder": "gpt"}


def model_and_sides(architecture: Architecture) -> tuple[Transformer, tuple[int, ...], tuple[int, ...]]:
    model = untrained(presets.find(PRESETS[architecture]), 0, german_english().tokenizer).model
    return model, () if architecture == "decoder" else SOURCE, () if architecture == "encoder" else TARGET


@pytest.mark.parametrize("architecture", PRESETS)
def test_without_a_mask_nothing_is_padded(architecture: Architecture) -> None:
    model, source, target = model_and_sides(architecture)
    ids = torch.tensor([source]) if source else None
    read = torch.tensor([target]) if target else None
    with torch.inference_mode():
        expected = model(ids, read, None if ids is None else masks.everything(ids))
        assert torch.equal(model(ids, read), expected)
        assert torch.equal(one_pass(model, source, target), expected[0])


@pytest.mark.parametrize("architecture", ["encoder-decoder", "encoder"])
def test_padding_after_the_source_is_masked(architecture: Architecture) -> None:
    model, source, target = model_and_sides(architecture)
    alone, padded = (recorded(model, source, target, padding=count) for count in (0, 3))
    assert padded["encoder.0.self_attention.weights"][..., len(source) :].max() == 0
    side = "decoder.output" if target else "encoder.output"
    length = len(target or source)
    torch.testing.assert_close(*(torch.from_numpy(each[side][:length]) for each in (alone, padded)))
