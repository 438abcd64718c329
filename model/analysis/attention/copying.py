"""How much the heads look at the token before, and at what followed an earlier copy of their token.

H heads, Q queries, K keys; a text of T tokens that attends to itself, so that Q = K = T. Needs no torch.
"""

from collections.abc import Sequence

import numpy as np


def previous_share(weights: np.ndarray) -> np.ndarray:
    """The weight of the token before, mean over the queries that have two before them: (…, H) from (…, H, T, T).

    Queries with less to choose from would give any head a high share.
    """
    if weights.shape[-1] <= FEWEST:
        return np.zeros(weights.shape[:-2])
    return np.diagonal(weights, offset=-1, axis1=-2, axis2=-1)[..., FEWEST - 1 :].mean(axis=-1)


FEWEST = 2  # tokens before a query


def follows_copy(ids: Sequence[int] | np.ndarray) -> np.ndarray:
    """(T, T): whether key k stands right behind an earlier copy of the query's token, and is not the query's own next.

    Of a text that may see its future, the next token is not counted: it stands behind the query itself.
    """
    ids = np.asarray(ids)
    same = ids[:, None] == np.concatenate([[-1], ids[:-1]])  # key k − 1 is the query's token
    own = np.eye(len(ids), k=1, dtype=bool)  # k − 1 is the query
    return same & ~own


def induction_share(weights: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ndarray:
    """The weight on all tokens that followed an earlier copy, mean over the queries that have one: (…, H).

    The prefix-matching score of Olsson et al. 2022. 0 where no token comes twice.
    """
    after = np.tril(follows_copy(ids))
    rows = after.any(axis=-1)
    if not rows.any():
        return np.zeros(weights.shape[:-2])
    return (weights * after).sum(axis=-1)[..., rows].mean(axis=-1)


def is_known(ids: Sequence[int] | np.ndarray) -> np.ndarray:
    """(T): whether the token has occurred before, so that what followed it then may follow again."""
    ids = np.asarray(ids)
    return np.tril(ids[:, None] == ids, k=-1).any(axis=-1)
