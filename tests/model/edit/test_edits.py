"""Each edit of a pass, and what is refused."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from model.edit import edits
from model.edit.edited_pass import Edit, compose
from model.errors import InvalidInput
from model.tokenization.tokenizer import BOS
from model.transformer import Transformer
from tests.conftest import tiny
from tests.model.edit.small import BATCH, CONFIGS, OTHER, SOURCE, TARGET, run, stepwise

SELF, CROSS = "decoder.1.self_attention", "decoder.1.cross_attention"


@pytest.fixture
def healthy(model: Transformer) -> dict[str, np.ndarray]:
    return run(model)


def test_no_edit_changes_nothing(model: Transformer, healthy: dict[str, np.ndarray]) -> None:
    again = run(model, edits.scale("*.weights", 1.0), edits.shift_position("encoder", 0))
    assert all(np.array_equal(healthy[name], again[name]) for name in healthy)


def test_a_head_is_switched_off_alone(model: Transformer, healthy: dict[str, np.ndarray]) -> None:
    name = f"{CROSS}.head_outputs"
    off = run(model, edits.zero(name, head=1))
    assert (off[name][1] == 0).all()
    np.testing.assert_array_equal(off[name][0], healthy[name][0])
    assert np.abs(off["logits"] - healthy["logits"]).max() > 1e-3
    half = run(model, edits.scale(name, 0.5, head=1), edits.scale(name, 2, head=1, row=2))
    np.testing.assert_allclose(half[name][1, :2], healthy[name][1, :2] / 2)
    np.testing.assert_allclose(half[name][1, 2], healthy[name][1, 2], rtol=1e-6)


def test_a_star_stands_for_every_layer(model: Transformer) -> None:
    off = run(model, edits.zero("decoder.*.self_attention.output"))
    assert all((off[f"decoder.{layer}.self_attention.output"] == 0).all() for layer in range(2))
    assert not (off["encoder.0.self_attention.output"] == 0).any()


@pytest.mark.parametrize("attention", ["encoder.0.self_attention", SELF, CROSS])
def test_replaced_weights_keep_to_the_mask_and_sum_to_one(model: Transformer, attention: str) -> None:
    matrix = np.random.default_rng(0).random((8, 8))[: 5 if "encoder" in attention else 4, :]
    width = 4 if "decoder" in attention and "self" in attention else 5
    for pattern in ("uniform", "diagonal", "previous", matrix[:, :width]):
        values = run(model, edits.replace_weights(attention, pattern, head=0))
        weights, mask = values[f"{attention}.weights"], ~np.isneginf(values[f"{attention}.masked_scores"])
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
        assert (weights[~mask] == 0).all()
        np.testing.assert_array_equal(weights[1], run(model)[f"{attention}.weights"][1])


def test_what_the_replaced_weights_are(model: Transformer, healthy: dict[str, np.ndarray]) -> None:
    def weights(pattern: edits.Pattern | np.ndarray) -> np.ndarray:
        return run(model, edits.replace_weights(SELF, pattern))[f"{SELF}.weights"]

    visible = np.tril(np.ones((4, 4)))
    np.testing.assert_allclose(weights("uniform"), np.stack([visible / visible.sum(-1, keepdims=True)] * 2), rtol=1e-6)
    np.testing.assert_array_equal(weights("diagonal"), np.stack([np.eye(4)] * 2))
    previous = weights("previous")
    np.testing.assert_array_equal(previous[:, 1:], np.stack([np.eye(4, k=-1)[1:]] * 2))
    np.testing.assert_array_equal(previous[:, 0], healthy[f"{SELF}.weights"][:, 0])  # nothing stands before it
    given = np.array([[1, 9, 9, 9], [1, 3, 9, 9], [0, 2, 2, 9], [1, 1, 1, 1.0]])
    expected: list[list[float]] = [[1, 0, 0, 0], [0.25, 0.75, 0, 0], [0, 0.5, 0.5, 0], [0.25] * 4]
    np.testing.assert_allclose(weights(given), np.stack([expected] * 2), rtol=1e-6)


def test_uniform_weights_leave_padding_out_in_a_batch(model: Transformer) -> None:
    values: dict[str, torch.Tensor] = {}
    tap = compose(
        model,
        edits.replace_weights("encoder.0.self_attention", "uniform"),
        then=lambda name, value: values.setdefault(name, value),
    )
    model(BATCH, TARGET.expand(2, -1), BATCH != 0, tap)
    weights = values["encoder.0.self_attention.weights"]
    torch.testing.assert_close(weights[0, 0, 0], torch.full((5,), 0.2))
    torch.testing.assert_close(weights[1, 1, 4], torch.tensor([1, 1, 1, 0, 0]) / 3)


def test_the_mask_opens_and_narrows(model: Transformer, healthy: dict[str, np.ndarray]) -> None:
    values = run(model, edits.allow(SELF))
    np.testing.assert_array_equal(values[f"{SELF}.masked_scores"], values[f"{SELF}.scores"])
    cell = run(model, edits.allow(SELF, head=1, row=0, key=3))
    np.testing.assert_array_equal(cell[f"{SELF}.weights"][0], healthy[f"{SELF}.weights"][0])
    assert (cell[f"{SELF}.weights"][1, 0] > 0).tolist() == [True, False, False, True]
    narrow = run(model, edits.forbid(CROSS, key=2))[f"{CROSS}.weights"]
    assert (narrow[..., 2] == 0).all()
    np.testing.assert_allclose(narrow.sum(-1), 1, atol=1e-6)


def test_a_finite_fill_is_a_mask_as_well() -> None:
    torch.manual_seed(0)
    model = Transformer(replace(CONFIGS["encoder-decoder"], mask_fill="-1e9")).eval()
    name = "decoder.0.self_attention"
    weights = run(model, edits.replace_weights(name, "uniform"), edits.forbid(name, row=3, key=0))[f"{name}.weights"]
    np.testing.assert_allclose(weights[0, 2:], [[1 / 3, 1 / 3, 1 / 3, 0], [0, 1 / 3, 1 / 3, 1 / 3]], rtol=1e-6)
    none = run(model, edits.forbid(name, row=0))[f"{name}.weights"]  # no key left, but no NaN either
    np.testing.assert_allclose(none[:, 0], 0.25)


def test_a_mask_and_weights_compose_in_the_order_of_the_pass(model: Transformer) -> None:
    values = run(model, edits.replace_weights(SELF, "uniform"), edits.allow(SELF), edits.forbid(SELF, key=0))
    np.testing.assert_allclose(values[f"{SELF}.weights"], np.broadcast_to([0, 1 / 3, 1 / 3, 1 / 3], (2, 4, 4)))


def test_position_is_removed_shifted_shuffled_and_replaced(model: Transformer) -> None:
    table = model.sinusoids.numpy()
    assert (run(model, edits.remove_position("encoder"))["encoder.position"] == 0).all()
    np.testing.assert_array_equal(run(model, edits.shift_position("decoder", 7))["decoder.position"], table[7:11])
    shuffled = run(model, edits.shuffle_position("encoder", 5, seed=1))["encoder.position"]
    order = [int(np.flatnonzero((table == row).all(-1))[0]) for row in shuffled]
    assert sorted(order) == [0, 1, 2, 3, 4] != order
    own = np.random.default_rng(1).normal(size=(64, 16)).astype(np.float32)
    both = run(model, edits.replace_position("encoder", own), edits.shift_position("encoder", 2))
    np.testing.assert_array_equal(both["encoder.position"], own[2:7])
    np.testing.assert_allclose(both["encoder.input"], both["encoder.embedding"] + own[2:7], rtol=1e-6)


def test_without_position_the_encoder_cannot_tell_an_order(model: Transformer) -> None:
    backwards = SOURCE.flip(1)
    without = edits.remove_position("encoder")
    there, back = run(model, without)["encoder.output"], run(model, without, source=backwards)["encoder.output"]
    np.testing.assert_allclose(there, back[::-1], atol=1e-5)
    there, back = run(model)["encoder.output"], run(model, source=backwards)["encoder.output"]
    assert np.abs(there - back[::-1]).max() > 0.1


def test_the_embedding_is_scaled_and_swapped(model: Transformer, healthy: dict[str, np.ndarray]) -> None:
    unscaled = run(model, edits.unscale_embedding("encoder"))["encoder.embedding"]
    np.testing.assert_allclose(unscaled, healthy["encoder.embedding"] / math.sqrt(16))
    both = run(model, edits.unscale_embedding("encoder"), edits.scale_embedding("encoder"))
    np.testing.assert_allclose(both["logits"], healthy["logits"], atol=1e-5)
    ids = SOURCE.clone()
    ids[0, 2] = 20
    exchange, expected = run(model, edits.swap_token("encoder", 2, 20)), run(model, source=ids)
    assert all(np.array_equal(exchange[name], expected[name]) for name in expected)


def test_a_value_from_another_sentence_takes_its_effect_along(model: Transformer, healthy: dict) -> None:
    other = run(model, source=OTHER)
    result = run(model, edits.patch("encoder.output", other["encoder.output"]))
    np.testing.assert_allclose(result["logits"], other["logits"], atol=1e-6)
    name = "encoder.0.feed_forward.residual"
    row = run(model, edits.patch(name, other[name], row=1, from_row=3))[name]
    np.testing.assert_array_equal(row[1], other[name][3])
    np.testing.assert_array_equal(np.delete(row, 1, 0), np.delete(healthy[name], 1, 0))
    head = run(model, edits.patch(f"{CROSS}.head_outputs", other[f"{CROSS}.head_outputs"], head=0))
    np.testing.assert_array_equal(head[f"{CROSS}.head_outputs"][0], other[f"{CROSS}.head_outputs"][0])


@pytest.mark.parametrize(
    ("edit", "code", "words"),
    [
        (edits.zero("decoder.0.cross_atention.weights"), "edit_name", "decoder.0.cross_attention.weights"),
        (edits.zero("decoder.7.cross_attention.weights"), "edit_name", "decoder.1.cross_attention.weights"),
        (edits.zero("encoder.*.cross_attention.weights"), "edit_name", "nearest"),
        (edits.zero("logits", head=0), "edit_part", "logits has no heads"),
        (Edit("encoder.0.self_attention.q", lambda value, at: value, key=1), "edit_part", "no keys"),
        (edits.zero(f"{SELF}.weights", head=2), "edit_head", "from 0 to 1"),
        (edits.zero(f"{SELF}.weights", row=64), "edit_place", "from 0 to 63"),
        (edits.zero(f"{SELF}.weights", row=-1), "edit_place", "from 0 to 63"),
    ],
)
def test_what_does_not_exist_is_refused_beforehand(edit: Edit, code: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as error:
        compose(tiny(), edit)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (edits.zero("encoder.output", row=5), "edit_place"),
        (edits.forbid(CROSS, key=5), "edit_place"),
        (edits.shift_position("encoder", -1), "edit_place"),
        (edits.shift_position("encoder", 60), "edit_place"),
        (edits.swap_token("encoder", 0, 23), "edit_token"),
        (edits.patch("encoder.output", np.zeros((4, 16))), "edit_shape"),
        (edits.patch("encoder.output", np.zeros((5, 8)), row=1), "edit_shape"),
        (edits.patch("encoder.output", np.zeros((5, 16)), row=1, from_row=5), "edit_shape"),
        (edits.patch(f"{CROSS}.v", np.zeros((3, 5, 8))), "edit_shape"),
        (edits.replace_weights(CROSS, np.ones((3, 5))), "edit_shape"),
        (edits.replace_weights(CROSS, np.ones((4, 4))), "edit_shape"),
        (edits.forbid(SELF, key=0), "edit_mask"),
        (edits.forbid(CROSS, row=1), "edit_mask"),
    ],
)
def test_what_does_not_fit_the_sentence_is_refused_in_the_pass(edit: Edit, code: str) -> None:
    with pytest.raises(InvalidInput) as error:
        run(tiny(), edit)
    assert error.value.code == code


def test_weights_that_are_none_are_refused() -> None:
    for wrong in (np.array([[1, -1]]), np.array([[np.nan]]), np.ones(3)):
        with pytest.raises(InvalidInput) as error:
            edits.replace_weights(SELF, wrong)
        assert error.value.code == "edit_matrix"
    with pytest.raises(InvalidInput, match="choose one of uniform, diagonal, previous"):
        edits.replace_weights(SELF, "random")  # type: ignore[arg-type]


def test_an_edit_that_the_run_never_reached_is_told() -> None:
    model = tiny()
    tap = compose(model, edits.zero("decoder.output", row=2), edits.zero("decoder.output", row=9))
    stepwise(model, torch.tensor([[BOS, 4, 5]]), tap)
    with pytest.raises(InvalidInput) as error:
        tap.check()
    assert error.value.code == "edit_unused"
