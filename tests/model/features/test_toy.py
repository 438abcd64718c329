"""The toy of five features in two dimensions: the regimes that Elhage et al. 2022 publish."""

from collections import Counter

import numpy as np
import pytest

from model.errors import InvalidInput
from model.features import toy
from model.features.toy import Toy


@pytest.mark.parametrize(
    ("sparsity", "expected"),
    [(0.0, {"dedicated": 2, "none": 3}), (0.7, {"pairs": 4, "none": 1}), (0.95, {"shared": 5})],
)
def test_sparsity_decides_whether_directions_are_shared(sparsity, expected):
    directions = toy.trained(Toy(sparsity=sparsity, steps=800, learning_rate=0.02))
    assert Counter(toy.regimes(directions)) == expected


def test_a_pentagon_has_equal_lengths_and_angles():
    directions = toy.trained(Toy(sparsity=0.97, importance=1.0, steps=800, learning_rate=0.02))
    angles = np.sort(np.degrees(np.arctan2(directions[:, 1], directions[:, 0])))
    assert np.allclose(np.diff(angles), 72, atol=12)
    assert np.ptp(toy.lengths(directions)) < 0.2


def test_the_most_important_features_are_kept_and_a_seed_fixes_all():
    first, again = (toy.trained(Toy(sparsity=0.0, importance=0.5, steps=400, learning_rate=0.02)) for _ in range(2))
    assert np.array_equal(first, again)
    assert set(np.argsort(-toy.lengths(first))[:2]) == {0, 1}


def test_settings_out_of_range_are_refused():
    with pytest.raises(InvalidInput) as refusal:
        toy.check(Toy(sparsity=1.0))
    assert refusal.value.code == "run_range"
