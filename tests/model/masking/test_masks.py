"""Masks by the rules of the notebook's system, worked by hand and held against those the model applies.

Then the batch as it is run, and what comes of a mask that is not there.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from model import masks
from model.config import TransformerConfig
from model.decode.recorded_pass import trace
from model.errors import InvalidInput
from model.masking import leakage, padded_batch
from model.mistakes.known_mistakes import no_padding_mask
from model.mistakes.metrics import Sample, Twin, dependence_on_neighbours
from model.trace import Recorder
from model.transformer import Transformer, attention
from tests.conftest import tiny
from tests.samples import german_english

SOURCE = torch.tensor([[1, 5, 6, 2], [1, 7, 2, 0]])
TARGET = torch.tensor([[1, 4, 9], [1, 4, 0]])


def grid(mask: torch.Tensor) -> list[list[int]]:
    return mask.int().tolist()


def test_padding_and_cross_by_hand() -> None:
    for mask in (masks.padding(SOURCE), masks.cross(SOURCE)):
        assert mask.dtype == torch.bool
        assert grid(mask[:, 0]) == [[[1, 1, 1, 1]], [[1, 1, 1, 0]]]


def test_causal_by_hand() -> None:
    assert grid(masks.causal(3)[0, 0]) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert grid(masks.causal(2, start=3)[0, 0]) == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert grid(masks.causal(1, start=2)[0, 0]) == [[1, 1, 1]]  # a cached step: all that is known, no future


def test_a_window_by_hand() -> None:
    assert grid(masks.causal(4, window=2)[0, 0]) == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    assert grid(masks.causal(1, start=3, window=2)[0, 0]) == [[0, 0, 1, 1]]
    assert grid(masks.causal(2, start=1, window=9)[0, 0]) == grid(masks.causal(2, start=1)[0, 0])


def test_decoder_self_is_causal_and_target_padding() -> None:
    mask = masks.decoder_self(TARGET)
    assert grid(mask[0, 0]) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert grid(mask[1, 0]) == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]
    torch.testing.assert_close(mask, masks.causal(3) & masks.padding(TARGET))


def test_shapes_broadcast_to_the_scores() -> None:
    batch, heads, s, t = 2, 5, 4, 3
    pairs = ((masks.padding(SOURCE), s, s), (masks.decoder_self(TARGET), t, t), (masks.cross(SOURCE), t, s))
    for mask, q, k in pairs:
        assert torch.broadcast_shapes(mask.shape, (batch, heads, q, k)) == (batch, heads, q, k)
    assert masks.padding(SOURCE).shape == masks.cross(SOURCE).shape == (2, 1, 1, 4)
    assert masks.decoder_self(TARGET).shape == (2, 1, 3, 3)
    assert masks.causal(3).shape == (1, 1, 3, 3)


def applied() -> dict[str, torch.Tensor]:
    """Where the model lets attention look, by name: true where a masked score is finite."""
    recording = {}

    def watch(name: str, value: torch.Tensor) -> torch.Tensor:
        if name.endswith("masked_scores"):
            recording[name.removesuffix(".masked_scores")] = value.isfinite()
        return value

    with torch.inference_mode():
        tiny()(SOURCE, TARGET, SOURCE != 0, watch)
    return recording


def test_they_are_the_masks_of_the_model() -> None:
    model_masks = applied()
    assert len(model_masks) == 6
    for layer in (0, 1):
        encoder = model_masks[f"encoder.{layer}.self_attention"]
        cross = model_masks[f"decoder.{layer}.cross_attention"]
        own = model_masks[f"decoder.{layer}.self_attention"]
        assert torch.equal(encoder, masks.padding(SOURCE).expand_as(encoder))
        assert torch.equal(cross, masks.cross(SOURCE).expand_as(cross))
        assert torch.equal(own, masks.causal(3).expand_as(own))
        # the model spares itself the target's padding: it stands last, so only padding's own rows differ
        differ = (own != masks.decoder_self(TARGET)).any(dim=(1, 3))  # (B, T)
        assert grid(differ) == [[0, 0, 0], [0, 0, 1]]


def test_target_padding_changes_no_real_position() -> None:
    model = tiny()
    mask = masks.decoder_self(TARGET)

    def pad_target(name: str, value: torch.Tensor) -> torch.Tensor:
        hide = "decoder" in name and name.endswith("self_attention.masked_scores")
        return value.masked_fill(~mask, -math.inf) if hide else value

    with torch.inference_mode():
        plain = model(SOURCE, TARGET, SOURCE != 0)
        masked = model(SOURCE, TARGET, SOURCE != 0, pad_target)
    real = TARGET != 0
    assert torch.equal(plain[real], masked[real])
    assert not torch.allclose(plain[~real], masked[~real])


def test_weights_vanish_exactly_where_a_mask_is_false() -> None:
    torch.manual_seed(0)
    x = torch.randn(2, 2, 3, 4)
    mask = masks.decoder_self(TARGET)
    recording = {}
    attention(x, x, x, mask, nn.Identity(), lambda name, value: recording.setdefault(name, value))
    weights = recording["weights"]
    assert torch.equal(weights == 0, ~mask.expand_as(weights))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 3))


def test_a_row_that_sees_nothing_is_refused_and_would_have_been_nan() -> None:
    empty = torch.tensor([[1, 5, 2], [0, 0, 0]])
    x = torch.randn(2, 1, 3, 4)
    unchecked = (empty != 0)[:, None, None, :]
    assert attention(x, x, x, unchecked, nn.Identity())[1].isnan().all()
    uniform = attention(x, x, x, unchecked, nn.Identity(), mask_fill=-1e9)[1, 0]
    torch.testing.assert_close(uniform, x[1, 0].mean(dim=0).expand(3, 4))  # what −1e9 makes of it
    for build in (masks.padding, masks.cross, masks.decoder_self):
        with pytest.raises(InvalidInput) as refusal:
            build(empty)
        assert refusal.value.code == "mask_row"
        assert refusal.value.values == {"sentence": 2, "query": 1}
    assert str(refusal.value).startswith("In sentence 2, query 1 may attend to no key")


def test_padding_in_front_is_refused_by_the_causal_mask_alone() -> None:
    front = torch.tensor([[5, 6, 7], [0, 0, 5]])
    masks.padding(front)
    with pytest.raises(InvalidInput) as refusal:
        masks.decoder_self(front)
    assert refusal.value.values == {"sentence": 2, "query": 1}


def test_a_mask_of_the_users_own_is_checked() -> None:
    own = torch.ones(4, 4, dtype=torch.bool)
    assert masks.checked(own) is own
    own[2] = False
    with pytest.raises(InvalidInput, match="query 3 may attend to no key"):
        masks.checked(own)
    with pytest.raises(InvalidInput, match="holds float32"):
        masks.checked(torch.zeros(4, 4))
    with pytest.raises(InvalidInput, match="holds int64"):
        masks.checked(torch.ones(4, 4, dtype=torch.int64))


# the batch as it is run

SENTENCES = ([1, 5, 6, 7, 2], [1, 8, 2], [1, 9, 10, 2])
TARGETS = ([1, 4, 9, 3], [1, 4], [1, 5, 6, 7])
ALONE = TransformerConfig(
    architecture="decoder", target_vocabulary=19, d_model=16, heads=2, encoder_layers=0, decoder_layers=2, d_ff=24,
    max_length=64,
)  # fmt: skip
READER = replace(
    ALONE, architecture="encoder", source_vocabulary=19, target_vocabulary=0, encoder_layers=2, decoder_layers=0
)


def untrained(config: TransformerConfig) -> Transformer:
    torch.manual_seed(0)
    return Transformer(config).eval()


def alone(model: Transformer, source: list[int], target: list[int]) -> dict[str, np.ndarray]:
    """Every value of one sentence run by itself."""
    recorder = Recorder()
    ids = torch.tensor([source])
    with torch.inference_mode():
        model(ids, torch.tensor([target]), torch.ones_like(ids, dtype=torch.bool), recorder)
    return recorder.values


@pytest.mark.parametrize("row", range(3))
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("encoder", "encoder.1.self_attention"),
        ("decoder", "decoder.1.self_attention"),
        ("cross", "decoder.1.cross_attention"),
    ],
)
def test_a_row_of_the_batch_is_the_sentence_alone_and_its_padding_weighs_nothing(kind, name: str, row: int) -> None:
    model = tiny()
    result = padded_batch.attention(model, SENTENCES, TARGETS, kind=kind, layer=1, row=row)
    values = alone(model, SENTENCES[row], TARGETS[row])
    queries, keys = values[f"{name}.weights"].shape[1:]
    for part in ("scores", "weights"):
        np.testing.assert_allclose(
            getattr(result, part)[:, :queries, :keys], values[f"{name}.{part}"], atol=1e-5, err_msg=part
        )
    assert (result.weights[:, :queries, keys:] == 0).all()  # exactly
    places = {"encoder": (5, 5), "decoder": (4, 4), "cross": (4, 5)}[kind]
    assert result.weights.shape == result.masked_scores.shape == (2, *places)
    hidden = np.isneginf(result.masked_scores)
    np.testing.assert_array_equal(result.scores[~hidden], result.masked_scores[~hidden])


@pytest.mark.parametrize("fill", ["-inf", "-1e9"])
def test_the_mask_of_a_pass_is_read_off_its_scores(fill) -> None:
    config = replace(tiny().config, mask_fill=fill)
    model = untrained(config)
    source = padded_batch.padded(SENTENCES)
    target = padded_batch.padded(TARGETS)
    assert source is not None
    assert target is not None
    for kind, expected in (("encoder", masks.padding(source)), ("cross", masks.cross(source))):
        for row in range(3):
            result = padded_batch.attention(model, SENTENCES, TARGETS, kind=kind, layer=0, row=row)
            visible = masks.seen(torch.tensor(result.masked_scores), float(fill))
            assert torch.equal(visible, expected[row].expand_as(visible))
            keys = len(SENTENCES[row])
            assert visible[0].int().tolist() == [[1] * keys + [0] * (5 - keys)] * visible.size(1)  # by hand
    result = padded_batch.attention(model, SENTENCES, TARGETS, kind="decoder", layer=0, row=1)
    visible = masks.seen(torch.tensor(result.masked_scores), float(fill))[0]
    assert torch.equal(visible[:2], masks.decoder_self(target)[1, 0, :2])  # its real rows


def test_a_batch_of_one_side() -> None:
    decoder = padded_batch.attention(untrained(ALONE), [()] * 3, TARGETS, kind="decoder", layer=0, row=1)
    assert decoder.weights.shape == (2, 4, 4)
    encoder = padded_batch.attention(untrained(READER), SENTENCES, [()] * 3, kind="encoder", layer=0, row=1)
    assert (encoder.weights[..., 3:] == 0).all()
    assert padded_batch.padded([(), ()]) is None


# −1e9 against −∞


def test_the_two_fills_agree_until_no_key_is_left() -> None:
    scores = torch.tensor([0.3, -1.2, 2.0, 0.1])
    both = []
    for fill in (-math.inf, -1e9):
        some = masks.weights(scores, torch.tensor([True, True, False, False]), fill)
        share = math.exp(0.3) / (math.exp(0.3) + math.exp(-1.2))  # by hand
        torch.testing.assert_close(some, torch.tensor([share, 1 - share, 0, 0]))
        both.append(masks.weights(scores, torch.zeros(4, dtype=torch.bool), fill))
    assert both[0].isnan().all()
    torch.testing.assert_close(both[1], torch.full((4,), 0.25))


# the leak test


def _by_hand(model: Transformer, source: list[int], target: list[int]) -> torch.Tensor:
    """Logits (T, V), each step from the words up to it alone: nothing later can have a part in it."""
    ids = torch.tensor([source])
    with torch.inference_mode():
        steps = [model(ids, torch.tensor([target[: t + 1]]), ids != 0)[0, -1] for t in range(len(target))]
    return torch.stack(steps)


@pytest.mark.parametrize("at", [1, 2, 5])
def test_with_the_mask_the_past_is_bit_identical_and_without_it_moves(at: int) -> None:
    model, source, target = tiny(), [1, 5, 6, 7, 2], [1, 4, 9, 3, 8, 7]
    causal = leakage.change_word(model, source, target, at, 11)
    assert (causal.change[:at] == 0).all()
    assert (causal.change[at:] > 1e-4).all()
    new_target = [*target[:at], 11, *target[at + 1 :]]
    expected = (_by_hand(model, source, target) - _by_hand(model, source, new_target)).abs().amax(-1)
    np.testing.assert_allclose(causal.change, expected, atol=1e-5)
    assert causal.before == tuple(_by_hand(model, source, target).argmax(-1).tolist())
    assert causal.after == tuple(_by_hand(model, source, new_target).argmax(-1).tolist())
    open_ = leakage.change_word(model, source, target, at, 11, causal=False)
    assert (open_.change > 1e-4).all()


def test_the_trained_model_leaks_nothing_either() -> None:
    checkpoint = german_english()
    source, target = (checkpoint.tokenizer.encode(text) for text in ("Wo ist das Buch?", "Where's the book?"))
    differences = [
        leakage.change_word(checkpoint.model, source, target[:-1], 4, 20, causal=causal) for causal in (True, False)
    ]
    assert (differences[0].change[:4] == 0).all()
    assert (differences[1].change[:4] > 0.01).all()
    tokens = trace(checkpoint.model, checkpoint.tokenizer, source, target[:-1]).output_tokens
    assert checkpoint.tokenizer.tokens(differences[0].before) == tokens


def test_the_leak_of_one_side() -> None:
    decoder = leakage.change_word(untrained(ALONE), (), [1, 4, 9, 3], 2, 5)
    assert (decoder.change[:2] == 0).all()
    assert (decoder.change[2:] > 0).all()
    assert (leakage.change_word(untrained(ALONE), (), [1, 4, 9, 3], 2, 5, causal=False).change > 0).all()
    encoder = leakage.change_word(untrained(READER), [1, 4, 9, 3], (), 2, 5)
    assert (encoder.change > 0).all()  # it reads the whole sentence
    assert encoder.before == encoder.after == ()


# padding


@pytest.mark.parametrize("added", [1, 6])
def test_padding_is_invisible_with_the_mask_and_not_without(added: int) -> None:
    model, source, target = tiny(), [1, 5, 6, 7, 2], [1, 4, 9]
    masked = leakage.add_padding(model, source, target, added)
    assert masked.change.shape == (3,)
    assert (masked.change < 1e-5).all()
    assert masked.before == masked.after
    open_ = leakage.add_padding(model, source, target, added, masked=False)
    assert (open_.change > 1e-3).all()


def test_padding_that_is_seen_is_the_mistake_of_that_name() -> None:
    model, sample = tiny(), Sample((1, 5, 6, 7, 2), (1, 4, 9))
    broken = Twin(model, no_padding_mask(model.config), broken=True)
    expected = dependence_on_neighbours(broken, sample)["logit_change"]
    result = leakage.add_padding(model, sample.source, sample.target, 6, masked=False)
    np.testing.assert_allclose(result.change.max(), expected, rtol=1e-4)


def test_padding_behind_a_decoder_alone_is_hidden_by_its_causal_mask() -> None:
    assert (leakage.add_padding(untrained(ALONE), (), [1, 4, 9, 3], 5).change < 1e-5).all()
    reader = untrained(READER)
    assert (leakage.add_padding(reader, [1, 4, 9, 3], (), 5).change < 1e-5).all()
    assert (leakage.add_padding(reader, [1, 4, 9, 3], (), 5, masked=False).change > 1e-3).all()
