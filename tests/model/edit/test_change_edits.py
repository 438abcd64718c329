"""Each change against a computation of its own."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation, translate
from model.edit import change_edits, edit_effects, notation
from model.errors import InvalidInput
from model.tokenization.tokenizer import PAD
from tests.model.edit.small import after, untrained
from tests.samples import KINO


def forced(checkpoint: Checkpoint, run: Translation, tap, padded: int = 0) -> np.ndarray:
    """Logits of one pass over the unchanged translation under a tap written here."""
    source = torch.tensor([[*run.source, *[PAD] * padded]])
    with torch.inference_mode():
        return checkpoint.model(source, torch.tensor([run.target]), source != PAD, tap)[0].numpy()


def only(name: str, change):
    """A tap that changes the one value of that name."""
    return lambda found, value: change(value.clone()) if found == name else value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("off:cross.9.1", "change_place"), ("off:cross.0.4", "change_place"), ("off:sideways.0.0", "change_place"),
        ("off:cross.0", "change_places"), ("unmask:99", "change_place"), ("unmask:all", "change_place"),
        ("position:encoder.sideways", "change_place"), ("embedding:middle.scale", "change_place"),
        ("word:99=Haus", "change_place"), ("word:1=Zwerchfellkrampf", "change_word"), ("word:1= ", "sentence_empty"),
        ("row:cross.0.0.0=1,2", "change_weights"), ("row:cross.0.0.0=0,0,0,0,0,0,0,0", "change_weights"),
        ("row:cross.*.0.0=1,2", "change_place"), ("patch:encoder.1.1.50=Wo ist es?", "change_place"),
        ("key:decoder.1=Haus", "change_place"),
    ],
)  # fmt: skip
def test_a_change_without_a_place_is_refused(checkpoint: Checkpoint, run: Translation, text: str, code: str) -> None:
    [one], bad = notation.read(text)
    assert bad == []
    with pytest.raises(InvalidInput) as error:
        change_edits.check(checkpoint, run, one)
    assert error.value.code == code


def test_no_change_is_bit_identical(checkpoint: Checkpoint, run: Translation) -> None:
    for text in ("", "-off:cross.1.1;-unmask:causal"):
        same = after(checkpoint, run, text)
        assert (same.logits == run.trace.values["logits"]).all()
        assert all((same.weights[kind] == run.trace.weights(kind)).all() for kind in run.trace.kinds)
        assert (same.text, same.ids[:-1]) == (run.text, run.target[1:])


@pytest.mark.parametrize(("verb", "factor"), [("off", 0.0), ("half", 0.5)])
def test_a_head_off_or_halved(checkpoint: Checkpoint, run: Translation, verb: str, factor: float) -> None:
    def change(value: Tensor) -> Tensor:
        value[:, 2] *= factor
        return value

    expected = forced(checkpoint, run, only("decoder.1.cross_attention.head_outputs", change))
    np.testing.assert_allclose(after(checkpoint, run, f"{verb}:cross.1.2").logits, expected, atol=1e-5)
    assert np.abs(expected - run.trace.values["logits"]).max() > 1e-3


def test_a_head_off_is_a_projection_without_its_columns(checkpoint: Checkpoint, run: Translation) -> None:
    """concat(head₁ … head_H) W^O without head 3 is W^O with the columns of head 3 at 0."""
    attention = checkpoint.model.encoder[1].self_attention
    size = checkpoint.model.config.d_model // checkpoint.model.config.heads
    weight = attention.output.weight
    spoilt = weight.clone()
    spoilt[:, 3 * size :] = 0
    attention.output.weight = nn.Parameter(spoilt, requires_grad=False)
    try:
        expected = forced(checkpoint, run, lambda name, value: value)
    finally:
        attention.output.weight = weight
    np.testing.assert_allclose(after(checkpoint, run, "off:encoder.1.3").logits, expected, atol=1e-4)


def test_patterns_of_weights(checkpoint: Checkpoint, run: Translation) -> None:
    count = len(run.source)
    values = after(checkpoint, run, "uniform:encoder.0.1;diagonal:encoder.1.*;previous:decoder.2.0")
    np.testing.assert_allclose(values.weights["encoder"][0, 1], np.full((count, count), 1 / count), atol=1e-6)
    for head in range(4):
        np.testing.assert_allclose(values.weights["encoder"][1, head], np.eye(count), atol=1e-6)
    previous = np.eye(len(run.target), k=-1)
    np.testing.assert_allclose(values.weights["decoder"][2, 0][1:], previous[1:], atol=1e-6)


def test_a_row_by_hand(checkpoint: Checkpoint, run: Translation) -> None:
    row = [100, 0, 300, 0, 0, 600, 0, 0]
    values = after(checkpoint, run, f"row:cross.1.2.3={','.join(map(str, row))}")
    np.testing.assert_allclose(values.weights["cross"][1, 2, 3], np.array(row) / 1000, atol=1e-6)

    def change(value: Tensor) -> Tensor:
        value[:, 2, 3] = torch.tensor(row) / 1000
        return value

    expected = forced(checkpoint, run, only("decoder.1.cross_attention.weights", change))
    np.testing.assert_allclose(values.logits, expected, atol=1e-5)


def test_without_the_causal_mask(checkpoint: Checkpoint, run: Translation) -> None:
    values = after(checkpoint, run, "unmask:causal")
    assert values.text == run.text  # writing word by word there is no future
    assert (values.weights["decoder"] > 0).all()
    scores = run.trace.values["decoder.0.self_attention.scores"].astype(float)  # the first layer's are those of before
    by_hand = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    np.testing.assert_allclose(values.weights["decoder"][0], by_hand, atol=1e-5)


def test_padding_with_and_without_its_mask(checkpoint: Checkpoint, run: Translation) -> None:
    unchanged = edit_effects.outcome(checkpoint, run, (), 4)
    assert unchanged.ids[:-1] == run.target[1:]
    assert (unchanged.weights["cross"][..., -4:] == 0).all()
    np.testing.assert_allclose(unchanged.logits, run.trace.values["logits"], atol=1e-3)
    values = after(checkpoint, run, "unmask:4")
    source, target = torch.tensor([[*run.source, *[PAD] * 4]]), torch.tensor([run.target])
    with torch.inference_mode():
        expected = checkpoint.model(source, target, torch.ones_like(source, dtype=torch.bool))[0].numpy()
    np.testing.assert_allclose(values.logits, expected, atol=1e-4)
    assert (values.weights["cross"][..., -4:] > 0).any()


def test_positions(checkpoint: Checkpoint, run: Translation) -> None:
    model = checkpoint.model
    embedding, count = run.trace.values["encoder.embedding"], len(run.source)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(5)).tolist()
    table = model.sinusoids.numpy()
    inputs = {"none": embedding, "shift3": embedding + table[3 : 3 + count], "shuffle5": embedding + table[order]}
    for how, values in inputs.items():
        given = torch.from_numpy(values)[None]
        expected = forced(checkpoint, run, only("encoder.input", lambda value, given=given: given))
        edited_values = after(checkpoint, run, f"position:encoder.{how}")
        np.testing.assert_allclose(edited_values.logits, expected, atol=1e-4)


def test_scaling_of_the_embedding(checkpoint: Checkpoint, run: Translation) -> None:
    root = math.sqrt(checkpoint.model.config.d_model)
    for how, factor in (("scale", root), ("unscale", 1 / root)):
        expected = forced(checkpoint, run, only("encoder.embedding", lambda value, factor=factor: value * factor))
        np.testing.assert_allclose(after(checkpoint, run, f"embedding:encoder.{how}").logits, expected, atol=1e-4)


def test_a_word_replaced_is_the_sentence_with_that_word(checkpoint: Checkpoint, run: Translation) -> None:
    word = "Haus"
    [token] = checkpoint.tokenizer.encode(word)[1:-1]
    source = torch.tensor([[*run.source[:5], token, *run.source[6:]]])
    with torch.inference_mode():
        expected = checkpoint.model(source, torch.tensor([run.target]), source != PAD)[0].numpy()
    values = after(checkpoint, run, f"word:5={word}")
    np.testing.assert_allclose(values.logits, expected, atol=1e-4)


def test_only_the_key_or_only_the_value(checkpoint: Checkpoint, run: Translation) -> None:
    """With both, cross-attention sees the other word's keys and values; with one, the other stays the old one's."""
    model = checkpoint.model
    [token] = checkpoint.tokenizer.encode("Haus")[1:-1]
    exchange = torch.tensor([[*run.source[:5], token, *run.source[6:]]])
    with torch.inference_mode():
        memory = model.encode(exchange, exchange != PAD)[0]
    own = run.trace.values["encoder.output"]
    for part, index in (("key", "k"), ("value", "v")):

        def tap(name: str, value: Tensor, index: str = index) -> Tensor:
            if not name.endswith(f"cross_attention.{index}"):
                return value
            layer = model.decoder[int(name.split(".")[1])].cross_attention
            projected = getattr(layer, index)(memory[5]).view(layer.heads, -1)  # (H, D)
            value = value.clone()
            value[0, :, 5] = projected
            return value

        expected = forced(checkpoint, run, tap)
        values = after(checkpoint, run, f"{part}:cross.5=Haus")
        np.testing.assert_allclose(values.logits, expected, atol=1e-4)
        attention = values.weights["cross"][0]
        assert np.allclose(attention, run.trace.weights("cross")[0], atol=1e-6) == (part == "value")
    assert np.abs(memory.numpy()[5] - own[5]).max() > 0.1


def test_an_activation_of_another_sentence(checkpoint: Checkpoint, run: Translation) -> None:
    donor = translate(checkpoint, "Wo ist das Buch?").trace.values["encoder.1.feed_forward.residual"]

    def change(value: Tensor) -> Tensor:
        value[0, 5] = torch.from_numpy(donor[4])
        return value

    expected = forced(checkpoint, run, only("encoder.1.feed_forward.residual", change))
    values = after(checkpoint, run, "patch:encoder.1.5.4=Wo ist das Buch?")
    np.testing.assert_allclose(values.logits, expected, atol=1e-5)


def test_every_change_runs_with_every_architecture() -> None:
    for name, text in {
        "mini-encoder": "off:encoder.0.0;unmask:3;position:encoder.none;word:2=Haus;key:encoder.1=Haus",
        "bert": "uniform:encoder.1.*;position:encoder.shuffle1;value:encoder.1=Haus;patch:encoder.0.1.1=Wo ist es?",
        "gpt": "off:decoder.0.*;unmask:causal;word:2=Haus;key:decoder.2=Haus;patch:decoder.1.1.2=Wo ist es?",
    }.items():
        one = untrained(name)
        own = translate(one, KINO)
        values = after(one, own, text)
        before = edit_effects.outcome(one, own)
        assert values.output.shape == before.output.shape
        assert np.abs(values.output - before.output).max() > 1e-3
        assert (values.text == "") == (name != "gpt")
