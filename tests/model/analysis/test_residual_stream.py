"""The residual stream taken apart: held against torch's own layers, and against the model's own logits."""

from itertools import pairwise
from typing import Literal

import numpy as np
import pytest
import torch
from torch import nn

from model.analysis import layer_norm, logit_lens, residual_stream
from model.analysis.layer_norm import Affine
from model.config import TransformerConfig
from model.parts.layer_norms import TextbookLayerNorm
from model.trace import Recorder
from model.transformer import Transformer
from tests.conftest import tiny

SOURCE = torch.tensor([[1, 5, 9, 7, 2]])
TARGET = torch.tensor([[1, 4, 8, 3]])
MASK = torch.ones_like(SOURCE, dtype=torch.bool)
SIDES: tuple[residual_stream.Side, ...] = ("encoder", "decoder")
Norm = Literal["pre", "post"]


def values(model: Transformer) -> dict[str, np.ndarray]:
    recorder = Recorder()
    with torch.inference_mode():
        model(SOURCE, TARGET, MASK, recorder)
    return recorder.values


def textbook(seed: int = 0) -> Transformer:
    torch.manual_seed(seed)
    config = TransformerConfig(
        source_vocabulary=23, target_vocabulary=19, d_model=16, heads=2, encoder_layers=2, decoder_layers=2, d_ff=24,
        norm="pre", norm_kind="textbook", final_norm=True, max_length=64,
    )  # fmt: skip
    return Transformer(config).eval()


# the stream


@pytest.mark.parametrize("side", SIDES)
def test_pre_norm_adds_up(side: residual_stream.Side) -> None:
    """residual before + output = residual after, and one sublayer takes up where the last one ended."""
    recording = values(tiny("pre", final_norm=True))
    result = residual_stream.sublayers(recording, side)
    assert [sub.depth for sub in result] == [
        f"{layer}.{part}"
        for layer in range(2)
        for part in ("self_attention", *(("cross_attention",) if side == "decoder" else ()), "feed_forward")
    ]
    np.testing.assert_array_equal(result[0].before, recording[f"{side}.input"])
    for sub in result:
        np.testing.assert_allclose(sub.before + recording[f"{side}.{sub.depth}.output"], sub.after, atol=1e-6)
        np.testing.assert_allclose(sub.summed, recording[f"{side}.{sub.depth}.residual"], atol=1e-6)
    for one, next_ in pairwise(result):
        np.testing.assert_array_equal(one.after, next_.before)


@pytest.mark.parametrize("side", SIDES)
def test_post_norm_normalises_the_sum(side: residual_stream.Side) -> None:
    model = tiny("post")
    for number, sub in enumerate(residual_stream.sublayers(values(model), side)):
        layer = getattr(model, side)[sub.layer]
        norm = layer.residuals[number % len(layer.residuals)].norm
        after = norm(torch.from_numpy(sub.before + sub.output)).detach()
        np.testing.assert_allclose(sub.after, after, atol=1e-5)
        assert np.abs(sub.summed - sub.after).max() > 0.1  # the bare sum is something else


def test_lengths_of_known_vectors() -> None:
    assert residual_stream.lengths(np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0]])).tolist() == [5, 1, 0]


# LayerNorm and BatchNorm


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("side", SIDES)
def test_each_layer_norm_gives_what_the_model_s_own_gives(side: residual_stream.Side, norm: Norm) -> None:
    model = tiny(norm, final_norm=True)
    recording = values(model)
    results = residual_stream.norms(recording, side, norm, final_norm=True)
    modules = [residual_.norm for layer in getattr(model, side) for residual_ in layer.residuals]
    modules.append(getattr(model, f"{side}_norm"))
    assert len(results) == len(modules)
    for normed, module in zip(results, modules, strict=True):
        parameters = layer_norm.affine(model, side, normed.depth)
        expected = module(torch.from_numpy(normed.x)).detach().numpy()
        steps = [layer_norm.layer_norm(x, parameters) for x in normed.x]
        np.testing.assert_allclose([step.result for step in steps], expected, atol=1e-5)
        for x, step in zip(normed.x, steps, strict=True):
            np.testing.assert_allclose([step.mean, step.biased], [x.mean(), x.std()], rtol=1e-5, atol=1e-6)
            assert abs(step.normalised.mean()) < 1e-9
            np.testing.assert_allclose(step.normalised.std(), 1, atol=1e-4)
    final = layer_norm.layer_norm(results[-1].x[0], layer_norm.affine(model, side, "final"))
    np.testing.assert_allclose(final.result, recording[f"{side}.output"][0], atol=1e-5)
    if norm == "post":
        place = results[1].depth
        result = layer_norm.layer_norm(results[1].x[2], layer_norm.affine(model, side, place)).result
        np.testing.assert_allclose(result, recording[f"{side}.{place}.residual"][2], atol=1e-5)


def test_the_parts_equal_torch_s_layer_norm_with_any_affine() -> None:
    generator = torch.Generator().manual_seed(3)
    x, gain, bias = (torch.randn(48, generator=generator, dtype=torch.float64) for _ in range(3))
    ours = layer_norm.layer_norm(x.numpy(), Affine(gain.numpy(), bias.numpy(), 1e-3, kind="torch"))
    theirs = nn.functional.layer_norm(x, (48,), gain, bias, eps=1e-3)
    np.testing.assert_allclose(ours.result, theirs, atol=1e-12)
    np.testing.assert_allclose(ours.scale**2, x.var(unbiased=False) + 1e-3)
    np.testing.assert_allclose(ours.unbiased, x.std())


def test_the_textbook_norm_is_torch_s_times_its_factor() -> None:
    model = textbook()
    assert isinstance(model.encoder_norm, TextbookLayerNorm)
    parameters = layer_norm.affine(model, "encoder", "final")
    assert parameters.kind == "textbook"
    assert parameters.eps == 1e-6
    x = torch.randn(16, generator=torch.Generator().manual_seed(1))
    ours = layer_norm.layer_norm(x.numpy(), parameters).result
    np.testing.assert_allclose(ours, model.encoder_norm(x).detach(), atol=1e-6)
    torch_s = nn.functional.layer_norm(x, (16,), eps=0)
    np.testing.assert_allclose(ours, torch_s * (15 / 16) ** 0.5, atol=1e-5)
    assert layer_norm.textbook_factor(16) == pytest.approx((15 / 16) ** 0.5)


def test_batch_norm_is_torch_s_in_training() -> None:
    x = torch.randn(7, 12, generator=torch.Generator().manual_seed(2)) * 3 + 1
    theirs = nn.BatchNorm1d(12, affine=False).train()(x)
    np.testing.assert_allclose(layer_norm.normalise_features(x.numpy()), theirs, atol=1e-5)
    np.testing.assert_allclose(layer_norm.normalise_tokens(x.numpy()), nn.LayerNorm(12)(x).detach(), atol=1e-5)


def test_only_batch_norm_depends_on_the_neighbours() -> None:
    x = np.random.default_rng(0).normal(size=(5, 12))
    fewer = np.delete(x, 3, axis=0)
    np.testing.assert_array_equal(layer_norm.normalise_tokens(x)[1], layer_norm.normalise_tokens(fewer)[1])
    assert np.abs(layer_norm.normalise_features(x)[1] - layer_norm.normalise_features(fewer)[1]).max() > 0.05
    assert (layer_norm.normalise_features(x[:1]) == 0).all()  # alone, a token is its own mean


# feed-forward


def test_the_share_of_zeros_is_counted() -> None:
    activations = np.array([[[0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 0.0, 5.0]]])
    assert residual_stream.silent_share(activations).tolist() == [[0.5, 0.75]]
    assert residual_stream.strongest(activations[0, 0], 3).tolist() == [1, 3, 0]


@pytest.mark.parametrize("side", SIDES)
def test_hidden_activations_are_those_of_the_pass(side: residual_stream.Side) -> None:
    model = tiny("pre")
    recording = values(model)
    activations = residual_stream.hidden(recording, side)
    assert activations.shape == (2, 5 if side == "encoder" else 4, 24)
    sub = [sub for sub in residual_stream.sublayers(recording, side) if sub.part == "feed_forward"][1]
    layer = getattr(model, side)[1]
    with torch.inference_mode():
        before = layer.feed_forward.hidden(layer.residuals[-1].norm(torch.from_numpy(sub.before)))
    np.testing.assert_allclose(activations[1], before.clamp(min=0), atol=1e-5)
    by_hand = [sum(1 for value in row if value == 0) / 24 for row in activations[1].tolist()]
    assert residual_stream.silent_share(activations)[1].tolist() == by_hand


# early predictions


@pytest.mark.parametrize("every_sublayer", [False, True])
@pytest.mark.parametrize("final_norm", [False, True])
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_last_place_predicts_what_the_model_predicts(norm: Norm, final_norm: bool, every_sublayer: bool) -> None:
    model = tiny(norm, final_norm=final_norm)
    recording = values(model)
    places = logit_lens.early_depths(recording, "decoder", every_sublayer)
    assert len(places) == (1 + 6 if every_sublayer else 1 + 2)
    last = logit_lens.early_logits(model, "decoder", list(places.values())[-1])
    np.testing.assert_allclose(last, recording["logits"], atol=1e-5)
    early = logit_lens.early(model, recording, "decoder", every_sublayer, count=4)
    np.testing.assert_array_equal(early.final[:, 0], recording["logits"].argmax(-1))
    np.testing.assert_array_equal(early.top[-1], np.argsort(-recording["logits"], axis=-1)[:, :4])
    probabilities = torch.from_numpy(recording["logits"]).softmax(-1).topk(4).values
    np.testing.assert_allclose(early.top_probabilities[-1], probabilities, atol=1e-5)


def test_ranks_are_places_in_the_sorted_list() -> None:
    model = tiny("pre", final_norm=True, seed=4)
    recording = values(model)
    early = logit_lens.early(model, recording, "decoder", every_sublayer=True, count=5)
    places = logit_lens.early_depths(recording, "decoder", every_sublayer=True)
    for n, x in enumerate(places.values()):
        with torch.inference_mode():
            logits = model.output(model.decoder_norm(torch.from_numpy(x)))
        for t, row in enumerate(logits.tolist()):
            order = sorted(range(len(row)), key=lambda id_, row=row: -row[id_])
            assert early.top[n, t].tolist() == order[:5]
            assert early.final_ranks[n, t].tolist() == [order.index(id_) + 1 for id_ in early.final[t]]
            if n + 1 < len(places):
                assert early.top_before[n + 1, t].tolist() == [order.index(id_) + 1 for id_ in early.top[n + 1, t]]
    assert (early.top_before[0] == 0).all()


def test_equal_logits_still_get_different_ranks() -> None:
    logits = np.array([[1.0, 2.0, 2.0, 0.0]])
    ids = logit_lens.top_ids(logits, 4)
    assert ids.tolist() == [[1, 2, 0, 3]]
    assert logit_lens._ranks(logits, ids).tolist() == [[1, 2, 3, 4]]


def test_an_encoder_with_an_output_layer_predicts_early_too() -> None:
    torch.manual_seed(0)
    config = TransformerConfig(
        architecture="encoder", source_vocabulary=23, target_vocabulary=23, d_model=16, heads=2, encoder_layers=2,
        decoder_layers=0, d_ff=24, max_length=64,
    )  # fmt: skip
    model, recorder = Transformer(config).eval(), Recorder()
    with torch.inference_mode():
        model(SOURCE, None, MASK, recorder)
    assert residual_stream.sides(recorder.values) == ("encoder",)
    last = list(logit_lens.early_depths(recorder.values, "encoder", False).values())[-1]
    np.testing.assert_allclose(logit_lens.early_logits(model, "encoder", last), recorder.values["logits"], atol=1e-5)
