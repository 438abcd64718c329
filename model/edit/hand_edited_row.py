"""A row of attention weights that is edited by hand: integer shares that keep their sum."""

import math
from collections.abc import Sequence

import numpy as np

from model.edit.notation import Change
from model.errors import InvalidInput

SHARES = 1000  # what the weights of a row edited by hand sum to


def shares(change: Change, keys: int) -> np.ndarray:
    """The weights of a row that was edited by hand, (K), not yet divided by their sum."""
    numbers = change.text.split(",")
    if len(numbers) != keys or not all(n.isdecimal() and len(n) < 5 for n in numbers) or not any(map(int, numbers)):
        raise InvalidInput("change_weights", given=len(numbers), needed=keys)
    return np.array([int(n) for n in numbers], dtype=np.float32)


def rebalanced(row: Sequence[int], place: int, value: int) -> tuple[int, ...]:
    """A row of integer shares with `value` at `place`; the others are scaled so that the sum stays SHARES.

    If all others are 0, they share evenly. What rounding leaves goes to the largest remainders.
    """
    others = [share if i != place else 0 for i, share in enumerate(row)]
    if not any(others):
        others = [int(i != place) for i in range(len(row))]
    if not any(others):  # a single key
        return (SHARES,)
    to_share = SHARES - value
    exact = [to_share * share / sum(others) for share in others]
    whole = [math.floor(share) for share in exact]
    order = sorted(range(len(row)), key=lambda i: whole[i] - exact[i])
    for i in [i for i in order if i != place][: to_share - sum(whole)]:
        whole[i] += 1
    whole[place] = value
    return tuple(whole)


def as_shares(weights: np.ndarray) -> tuple[int, ...]:
    """A row of weights (K) as integer shares that sum to SHARES."""
    exact = weights.astype(float) / weights.sum() * SHARES
    whole = np.floor(exact).astype(int)
    whole[np.argsort(whole - exact, kind="stable")[: SHARES - whole.sum()]] += 1
    return tuple(whole.tolist())
