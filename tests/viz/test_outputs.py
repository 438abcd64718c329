"""Tokens that two outputs have in common, in the same order."""

import random
from itertools import combinations, pairwise

import pytest

from viz.html.outputs import in_common


def is_within(part: tuple[str, ...], whole: str) -> bool:
    rest = iter(whole)
    return all(token in rest for token in part)


@pytest.mark.parametrize("seed", range(20))
def test_no_longer_subsequence_is_in_both(seed: int) -> None:
    rng = random.Random(seed)
    first, second = ("".join(rng.choices("abcd", k=rng.randrange(9))) for _ in range(2))
    pairs = in_common(first, second)
    assert pairs == sorted(pairs)
    assert all(first[i] == second[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
    assert not any(is_within(part, second) for part in combinations(first, len(pairs) + 1))


def test_the_longest_run_of_equal_tokens_may_have_to_be_given_up() -> None:
    """Blocks of a heuristic difference, the longest run first, were counted before."""
    assert len(in_common("abxyzcd", "abcdxyz")) == 5
    assert len(in_common("xyza1b2c3d4", "a9b8c7d6xyz")) == 4
