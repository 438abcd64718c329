"""Softmax and what is worked out of it, against torch and by hand; and the cosine of known vectors."""

import numpy as np
import pytest
import torch

from model.analysis import softmax
from model.analysis.cosine import cosine, cosines


@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0, 1e4])
def test_weights_are_shares_and_equal_torch_s(scale: float) -> None:
    scores = np.random.default_rng(3).standard_normal((50, 9)) * scale
    weights = softmax.softmax(scores)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    np.testing.assert_allclose(weights, torch.from_numpy(scores).softmax(-1).numpy(), atol=1e-12)
    np.testing.assert_allclose(softmax.softmax(scores + 5), weights, atol=1e-9)  # only differences count


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_log_probabilities_are_those_of_torch(scale: float) -> None:
    logits = (np.random.default_rng(4).standard_normal((20, 7)) * scale).astype(np.float32)
    ids = np.random.default_rng(5).integers(0, 7, 20)
    expected = torch.from_numpy(logits).double().log_softmax(-1)
    np.testing.assert_allclose(softmax.log_softmax(logits), expected.numpy(), atol=1e-9)
    values = expected.gather(-1, torch.from_numpy(ids)[:, None])[:, 0].numpy()
    np.testing.assert_allclose(softmax.log_probabilities(logits, ids), values, atol=1e-9)
    np.testing.assert_array_equal(
        softmax.log_probabilities(logits, ids.tolist()), softmax.log_probabilities(logits, ids)
    )
    assert softmax.log_probabilities(logits[:0], ()).shape == (0,)


def test_entropy_of_known_weights() -> None:
    rows = np.array([[0.25] * 4, [1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0.25, 0.125, 0.125]])
    result = softmax.entropy_bits(rows)
    np.testing.assert_allclose(result, [2, 0, 1, 1.75])
    assert not np.signbit(result).any()  # a page would show −0


def test_cosines_of_known_vectors() -> None:
    a, b = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0]]), np.array([[6.0, 8.0], [0.0, 2.0], [1.0, 1.0]])
    np.testing.assert_allclose(cosine(a, b), [1, 0, 0])
    assert cosine(a[:1], -b[:1]).tolist() == [-1]
    np.testing.assert_allclose(cosine(b, a[1]), [0.6, 0, 0.5**0.5])  # one vector beside many
    np.testing.assert_array_equal(cosines(np.zeros((3, 8))), np.zeros((3, 3)))
    assert cosines(np.array([[1.0, 0], [-3, 0], [0, 2]])).tolist() == [[1, -1, 0], [-1, 1, 0], [0, 0, 1]]
