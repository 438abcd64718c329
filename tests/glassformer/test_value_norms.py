"""Weights times values of a user's own model: against torch's own layer and a loop, in figures, and errors."""

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

D, HEADS, TOKENS = 12, 3, list("abcd")


def layer(seed: int) -> tuple[torch.nn.MultiheadAttention, np.ndarray, torch.Tensor]:
    """A layer of torch, its weights (1, H, Q, K) of one sentence and the values that it mixes (1, H, K, D / H)."""
    torch.manual_seed(seed)
    attention, x = torch.nn.MultiheadAttention(D, HEADS, batch_first=True).eval(), torch.randn(1, len(TOKENS), D)
    torch.nn.init.normal_(attention.in_proj_bias)
    _, weights = attention(x, x, x, average_attn_weights=False)
    values = torch.nn.functional.linear(x, attention.in_proj_weight[2 * D :], attention.in_proj_bias[2 * D :])
    return attention, weights.detach().numpy(), values.unflatten(-1, (HEADS, -1)).transpose(1, 2)


LAYERS = [layer(seed) for seed in (0, 1)]
WEIGHTS, VALUES = [each[1] for each in LAYERS], [each[2] for each in LAYERS]
OUTPUT = [each[0].out_proj.weight for each in LAYERS]


def test_the_values_are_those_of_the_layer() -> None:
    """So that the loop below is about what torch computes."""
    attention, weights, values = LAYERS[0]
    torch.manual_seed(0)
    torch.nn.MultiheadAttention(D, HEADS, batch_first=True)
    x = torch.randn(1, len(TOKENS), D)
    mixed = (torch.from_numpy(weights) @ values).transpose(1, 2).flatten(2)
    torch.testing.assert_close(attention.out_proj(mixed), attention(x, x, x)[0])


def test_each_share_is_that_of_a_loop(glassformer: ModuleType) -> None:
    result = glassformer.weighted_by_values(WEIGHTS, VALUES, OUTPUT)
    assert result.shape == (2, HEADS, 4, 4)
    np.testing.assert_allclose(result.sum(-1), 1, atol=1e-6)
    for at, (attention, weights, values) in enumerate(LAYERS):
        for head in range(HEADS):
            part = attention.out_proj.weight[:, head * 4 : (head + 1) * 4]
            for row in range(4):
                norms = [
                    (part @ (float(weights[0, head, row, key]) * values[0, head, key])).norm().item()
                    for key in range(4)
                ]
                expected = [norm / sum(norms) for norm in norms]
                assert result[at, head, row].tolist() == pytest.approx(expected, abs=1e-6)


def test_forms_of_the_same_and_shared_heads(glassformer: ModuleType) -> None:
    both = glassformer.weighted_by_values(WEIGHTS, VALUES, OUTPUT)
    arrays = np.stack(WEIGHTS)[:, 0], torch.stack(VALUES)[:, 0].detach(), torch.stack(OUTPUT)
    np.testing.assert_array_equal(glassformer.weighted_by_values(*arrays), both)
    one = glassformer.weighted_by_values(WEIGHTS[0][0], VALUES[0][0], OUTPUT[0])
    np.testing.assert_array_equal(one, both[:1])
    first = VALUES[0][:, :1]
    shared = glassformer.weighted_by_values(WEIGHTS[:1], [first], OUTPUT[:1])
    repeated = glassformer.weighted_by_values(WEIGHTS[:1], [first.repeat(1, HEADS, 1, 1)], OUTPUT[:1])
    np.testing.assert_array_equal(shared, repeated)
    assert not glassformer.weighted_by_values(np.zeros((HEADS, 4, 4)), VALUES[0][0], OUTPUT[0]).any()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_figure_says_that_it_shows_norms(glassformer: ModuleType, language: str) -> None:
    shares = glassformer.weighted_by_values(WEIGHTS, VALUES, OUTPUT)
    for draw in (glassformer.head_wall, glassformer.attention_lines):
        plain, norms = (draw(shares, TOKENS, norms=each, language=language) for each in (False, True))
        assert (norms.words["scale"], norms.column) == ({"en": "share", "zh": "占比"}[language], "norm_share")
        assert (plain.words["scale"], plain.column) == ({"en": "weight", "zh": "权重"}[language], "weight")
        assert norms.words["caption_encoder"] != plain.words["caption_encoder"]


@pytest.mark.parametrize(
    ("weights", "values", "output", "message"),
    [
        (WEIGHTS, VALUES[:1], OUTPUT, "values have 1 layers, 3 heads and 4 keys; the attention has 2 layers"),
        (WEIGHTS, [each[:, :, :3] for each in VALUES], OUTPUT, "values have 2 layers, 3 heads and 3 keys"),
        (WEIGHTS, [each[:, :2] for each in VALUES], OUTPUT, "values have 2 layers, 2 heads"),
        (WEIGHTS, VALUES, OUTPUT[:1], "a matrix for each of 2 layers; it has 1"),
        (WEIGHTS, VALUES, [each[:, :8] for each in OUTPUT], r"layer 0: the shape \(12, 8\) does not fit 3 heads of 4"),
        (
            WEIGHTS,
            [each[0, 0] for each in VALUES],
            OUTPUT,
            r"values: each layer needs the axes \(heads, keys, numbers\)",
        ),
    ],
)
def test_what_does_not_fit_is_named(
    glassformer: ModuleType, weights: Any, values: Any, output: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        glassformer.weighted_by_values(weights, values, output)
