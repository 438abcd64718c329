"""Embedding tables against brute force: neighbours, principal components; and what padding weighs."""

import math

import numpy as np
import pytest
import torch

from model.analysis import embedding
from model.config import TransformerConfig
from model.masking.padding import padded
from model.transformer import Transformer
from tests.conftest import tiny

TABLE = np.random.default_rng(3).normal(size=(40, 6)) * np.linspace(0.5, 3, 6)
IDS = [1, 5, 9, 5, 2]


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """By hand, number by number."""
    dot, left, right = (sum(x * y for x, y in zip(p, q, strict=True)) for p, q in ((a, b), (a, a), (b, b)))
    return dot / math.sqrt(left * right)


@pytest.mark.parametrize("asked", [0, 17, 39])
def test_neighbours_by_brute_force(asked: int) -> None:
    expected = sorted(((cosine(TABLE[asked], row), i) for i, row in enumerate(TABLE) if i != asked), reverse=True)
    result = embedding.nearest(TABLE, asked, 8)
    assert [n.id for n in result] == [i for _, i in expected[:8]]
    assert [n.cosine for n in result] == pytest.approx([value for value, _ in expected[:8]], abs=1e-12)


def test_neighbours_do_not_ask_for_length() -> None:
    table = np.array([[1.0, 0.0], [100.0, 1.0], [0.9, 0.5], [0.0, 0.0], [-1.0, 0.0]])
    assert [n.id for n in embedding.nearest(table, 0, 9)] == [1, 2, 3, 4]
    assert embedding.nearest(table, 0, 4)[2].cosine == 0  # a row of zeros
    assert embedding.nearest(table, 0, 4)[3].cosine == pytest.approx(-1)


def test_the_plane_is_that_of_the_singular_values() -> None:
    result = embedding.project(TABLE)
    centred = TABLE - TABLE.mean(axis=0)
    left, singular, _ = np.linalg.svd(centred, full_matrices=False)
    np.testing.assert_allclose(result.explained, singular[:2] ** 2 / (singular**2).sum(), rtol=1e-10)
    np.testing.assert_allclose(np.abs(result.points), np.abs(left[:, :2] * singular[:2]), atol=1e-10)
    np.testing.assert_allclose(result.explained, result.points.var(axis=0) / TABLE.var(axis=0).sum(), rtol=1e-10)
    np.testing.assert_array_equal(result.points, embedding.project(TABLE).points)


def test_a_table_in_a_plane_is_explained_in_full() -> None:
    plane = np.outer(np.arange(5.0), [1, 2, 0, 0]) + np.outer([0, 1, 0, -1, 0], [0, 0, 1.0, 0])
    assert embedding.project(plane).explained.sum() == pytest.approx(1)
    assert embedding.project(np.ones((4, 3))).explained.tolist() == [0, 0]


def test_padding_weighs_nothing_with_its_mask() -> None:
    result = padded(tiny(), IDS, 3)
    assert result.received.shape == (8,)
    assert result.received[5:].tolist() == [0, 0, 0]
    assert result.received.sum() == pytest.approx(1, abs=1e-6)
    assert result.largest == 0
    assert result.change < 1e-5


def test_padding_weighs_without_its_mask() -> None:
    model = tiny()
    result = padded(model, IDS, 3, masked=False)
    assert result.received.sum() == pytest.approx(1, abs=1e-6)
    assert (result.received[5:] > 0).all()
    assert result.largest >= result.received[5:].max()
    with torch.inference_mode():
        alone = model.encode(torch.tensor([IDS]), torch.ones(1, 5, dtype=torch.bool))
        beside = model.encode(torch.tensor([[*IDS, 0, 0, 0]]), torch.ones(1, 8, dtype=torch.bool))
    assert result.change == pytest.approx(float((alone - beside[:, :5]).abs().max()), rel=1e-5)
    assert result.change > 0.01


def test_a_decoder_alone_hides_padding_by_its_causal_mask() -> None:
    config = TransformerConfig(
        architecture="decoder", target_vocabulary=12, d_model=8, heads=2, encoder_layers=0, decoder_layers=2, d_ff=8,
        max_length=16,
    )  # fmt: skip
    torch.manual_seed(0)
    result = padded(Transformer(config).eval(), IDS, 4)
    assert result.largest == 0
    assert result.received[5:].tolist() == [0] * 4
    assert result.change < 1e-5
