"""The primer's numerics: the published numbers, the laws of the softmax, and the sampling beside its theory."""

import math

import numpy as np
import pytest
import torch

from model.analysis import soft_lookup
from model.analysis.softmax import softmax
from model.errors import InvalidInput


def by_hand(scores: list[float], values: list[float]) -> tuple[list[float], float]:
    """Weights and output of one row, written down once more."""
    powers = [math.exp(score) for score in scores]
    weights = [power / sum(powers) for power in powers]
    return weights, sum(weight * value for weight, value in zip(weights, values, strict=True))


# the published numbers


def test_the_dictionary_gives_eight() -> None:
    assert soft_lookup.FRUIT == {"apple": 10, "banana": 5, "chair": 2}
    assert soft_lookup.FRUIT_WEIGHTS == (0.6, 0.4, 0.0)
    assert soft_lookup.weighted_sum(soft_lookup.FRUIT_WEIGHTS, list(soft_lookup.FRUIT.values())) == pytest.approx(8)
    assert soft_lookup.sums_to_one(soft_lookup.FRUIT_WEIGHTS)
    assert not soft_lookup.sums_to_one((0.6, 0.4, 0.5))


def test_weights_are_divided_by_their_sum() -> None:
    np.testing.assert_allclose(soft_lookup.normalised((0.6, 0.4, 0.5)), [0.4, 4 / 15, 1 / 3])
    with pytest.raises(InvalidInput) as error:
        soft_lookup.normalised((0.0, 0.0, 0.0))
    assert error.value.code == "lookup_sum"


def test_waist_and_hip() -> None:
    assert (soft_lookup.TUTORIAL, soft_lookup.KEYS, soft_lookup.VALUES) == ((7, 8), (1, 2), (50, 180))
    result = soft_lookup.look_up((7, 8), (1, 2), (50, 180))
    np.testing.assert_allclose(result.scores, [[7, 14], [8, 16]])
    for row, output, scores in zip(result.weights, result.output, ([7, 14], [8, 16]), strict=True):
        weights, expected = by_hand(scores, [50, 180])
        np.testing.assert_allclose(row, weights)
        assert output == pytest.approx(expected)
    np.testing.assert_allclose(result.output, [179.8816, 179.9564], atol=5e-5)


def test_waist_and_hip_as_one_query_of_two_parts() -> None:
    result = soft_lookup.look_up_by_parts((7, 8), (1, 2), (50, 180))
    np.testing.assert_allclose(result.scores, [[7, 16]])
    assert result.output[0] == pytest.approx(by_hand([7, 16], [50, 180])[1])


def test_nearness_asks_how_far_the_key_is() -> None:
    result = soft_lookup.look_up((7, 1.5, 1), (1, 2), (50, 180), "gaussian")
    np.testing.assert_allclose(result.scores, [[-18, -12.5], [-0.125, -0.125], [0, -0.5]])
    assert result.output[1] == pytest.approx(115)  # halfway between the keys
    assert result.weights[2, 0] > 0.5  # on a key, it weighs most
    assert soft_lookup.look_up([1], (1, 2), (50, 180)).weights[0, 0] < 0.5  # the dot product prefers the longer key


def test_sharpness_leads_from_the_mean_to_the_hard_look_up() -> None:
    for similarity in soft_lookup.SIMILARITIES:
        assert soft_lookup.look_up([7], (1, 2), (50, 180), similarity, 0).output[0] == pytest.approx(115)
        assert soft_lookup.look_up([7], (1, 2), (50, 180), similarity, 20).output[0] == pytest.approx(180)


def test_the_line_is_the_look_up_everywhere() -> None:
    for similarity in soft_lookup.SIMILARITIES:
        queries, outputs = soft_lookup.line(similarity, 0.7, (2.5, 7))
        assert (queries[0], queries[-1]) == soft_lookup.LINE
        for q, output in zip(queries[::20], outputs[::20], strict=True):
            scores = [0.7 * (q * k if similarity == "dot" else -((q - k) ** 2) / 2) for k in (1, 2)]
            assert output == pytest.approx(by_hand(scores, [50, 180])[1])


def test_at_the_start_the_output_slides_from_one_value_to_the_other() -> None:
    queries, outputs = soft_lookup.line("gaussian", soft_lookup.SHARPNESS)
    assert (
        soft_lookup.KEYS[0] < soft_lookup.QUERIES[0] < soft_lookup.QUERIES[1] < soft_lookup.KEYS[1]
    )  # they stand between the keys
    assert (queries[0], queries[-1]) == soft_lookup.NEAR
    on_keys = soft_lookup.look_up(
        soft_lookup.KEYS, soft_lookup.KEYS, soft_lookup.VALUES, "gaussian", soft_lookup.SHARPNESS
    ).output
    np.testing.assert_allclose(on_keys, soft_lookup.VALUES, atol=1)
    assert on_keys[0] > soft_lookup.VALUES[0]  # never exactly: no weight of a softmax is 0
    assert (np.diff(outputs) > 0).all()


# the laws of the softmax


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
def test_the_gradient_against_finite_differences(scale: float) -> None:
    scores = np.random.default_rng(5).standard_normal(7) * scale
    step = 1e-5
    columns = [(softmax(scores + step * unit) - softmax(scores - step * unit)) / (2 * step) for unit in np.eye(7)]
    assert soft_lookup.gradient_norm(softmax(scores)) == pytest.approx(np.linalg.norm(columns), rel=1e-6)


def test_the_gradient_of_nearly_hard_weights_keeps_its_digits() -> None:
    for gap in (10.0, 30.0, 60.0, 100.0):
        weights = softmax(np.array([[gap, 0.0]]))
        small = math.exp(-gap) / (1 + math.exp(-gap))
        # two keys: four entries ±α(1 − α)
        assert soft_lookup.gradient_norm(weights)[0] == pytest.approx(2 * small * (1 - small), rel=1e-9)
    assert soft_lookup.gradient_norm(np.array([[1.0, 0.0, 0.0]]))[0] == 0


# score functions


@pytest.mark.parametrize("d_k", [2, 16, 64])
def test_the_three_scores_entry_by_entry(d_k: int) -> None:
    vectors = soft_lookup.vectors(d_k, seed=4, likeness=0.3)
    q, v = vectors.query, vectors.v
    for i, k in enumerate(vectors.keys):
        dot = sum(float(a) * float(b) for a, b in zip(q, k, strict=True))
        additive = 0.0
        for row in range(d_k):
            inside = sum(vectors.w_q[row, j] * q[j] + vectors.w_k[row, j] * k[j] for j in range(d_k))
            additive += v[row] * math.tanh(inside)
        assert soft_lookup.score("dot", vectors)[i] == pytest.approx(dot)
        assert soft_lookup.score("scaled", vectors)[i] == pytest.approx(dot / math.sqrt(d_k))
        assert soft_lookup.score("additive", vectors)[i] == pytest.approx(additive)
    assert abs(soft_lookup.score("additive", vectors)).max() <= abs(v).sum()  # tanh stays within ±1


def test_vectors_come_from_their_seed_and_the_likeness_moves_the_query_alone() -> None:
    one, again, other = soft_lookup.vectors(8, 1), soft_lookup.vectors(8, 1), soft_lookup.vectors(8, 2)
    np.testing.assert_array_equal(one.query, again.query)
    assert not np.allclose(one.keys, other.keys)
    alike = soft_lookup.vectors(8, 1, likeness=1.0)
    np.testing.assert_allclose(alike.query, alike.keys[0])
    np.testing.assert_array_equal(alike.keys, one.keys)
    np.testing.assert_array_equal(alike.w_q, one.w_q)


@pytest.mark.parametrize("likeness", [0.0, 0.5, 1.0])
def test_the_query_s_entries_keep_unit_variance(likeness: float) -> None:
    entries = np.concatenate([soft_lookup.vectors(64, seed, likeness=likeness).query for seed in range(60)])
    assert entries.var() == pytest.approx(1, abs=5 * math.sqrt(2 / len(entries)))


# why ÷ √d_k


@pytest.fixture(scope="module", params=[4, 16])
def sampled(request: pytest.FixtureRequest) -> list[soft_lookup.Sharpness]:
    return [soft_lookup.sharpness(size, request.param, seed=1) for size in soft_lookup.SIZES]


def test_the_variance_is_d_k_within_the_sampling_error(sampled: list[soft_lookup.Sharpness]) -> None:
    for row in sampled:
        assert abs(row.variance - row.d_k) < 4 * row.error
        assert 0 < row.error < 0.2 * row.d_k


def test_the_error_is_that_of_repeated_samples() -> None:
    rows = [soft_lookup.sharpness(8, 4, samples=50, seed=seed) for seed in range(200)]
    spread = np.std([row.variance for row in rows])
    assert np.mean([row.error for row in rows]) == pytest.approx(spread, rel=0.25)


def test_the_measures_are_those_of_the_samples() -> None:
    row = soft_lookup.sharpness(32, 5, samples=41, seed=9)
    random = np.random.default_rng((9, 32))
    q = random.standard_normal((41, 1, 32), dtype=np.float32)
    k = random.standard_normal((41, 5, 32), dtype=np.float32)
    products = torch.from_numpy((q * k).sum(-1)).double()
    assert row.variance == pytest.approx(float(products.square().mean()), rel=1e-4)
    for kind, scale in (("unscaled", 1), ("scaled", math.sqrt(32))):
        weights = (products / scale).softmax(-1)
        assert row.largest[kind].median == pytest.approx(float(weights.max(-1).values.median()), rel=1e-4)
        bits = torch.distributions.Categorical(probs=weights).entropy() / math.log(2)
        assert row.entropy[kind].median == pytest.approx(float(bits.median()), rel=1e-4)
        norms = torch.stack([torch.autograd.functional.jacobian(lambda s: s.softmax(-1), s).norm() for s in products / scale])  # fmt: skip  # noqa: E501
        assert row.gradient[kind].median == pytest.approx(float(norms.median()), rel=1e-4)
        assert row.gradient[kind].low <= row.gradient[kind].median <= row.gradient[kind].high


def test_without_the_division_the_softmax_hardens_and_its_gradient_vanishes(
    sampled: list[soft_lookup.Sharpness],
) -> None:
    small, large = sampled[0], sampled[-1]
    assert large.largest["unscaled"].median > 0.99
    assert large.entropy["unscaled"].median < 0.1
    assert large.gradient["unscaled"].median < small.gradient["unscaled"].median / 100
    for measure in ("largest", "entropy", "gradient"):  # with it, nothing much changes
        medians = [getattr(row, measure)["scaled"].median for row in sampled]
        assert max(medians) < 1.35 * min(medians)
