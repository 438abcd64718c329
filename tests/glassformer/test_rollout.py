"""Rollout from a notebook: by hand, by another way of computing it, and in a figure."""

import numpy as np
import pytest
import torch

import glassformer

UNIFORM = np.array([[[[1, 0], [0.5, 0.5]]]] * 2)  # (layers, heads, queries, keys)


def test_two_layers_by_hand() -> None:
    one = [[1, 0], [0.25, 0.75]]  # ½ A + ½ I
    two = [[1, 0], [0.25 + 0.75 * 0.25, 0.75 * 0.75]]
    np.testing.assert_allclose(glassformer.rollout(UNIFORM), [[one], [two]])


def test_a_batch_of_a_model_as_pytorch_multiplies_it() -> None:
    torch.manual_seed(0)
    layers = [torch.rand(3, 4, 6, 6).softmax(-1) for _ in range(5)]
    expected = torch.eye(6)
    for layer in layers:
        expected = (layer[1].mean(0) + torch.eye(6)) / 2 @ expected
    result = glassformer.rollout(layers, item=1)
    np.testing.assert_allclose(result[-1, 0], expected, atol=1e-6)
    [panel] = glassformer.attention_lines(result, list("abcdef")).panels.values()
    assert panel.weights.shape == (5, 1, 6, 6)


def test_cross_attention_has_none() -> None:
    with pytest.raises(ValueError, match=r"needs self-attention.* 2 and 3"):
        glassformer.rollout(np.full((1, 1, 2, 3), 1 / 3))
