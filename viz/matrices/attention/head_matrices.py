"""The heads of one layer as matrices: where each looks, and what is written with fewer of them.

H heads, K keys, T tokens written.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ...data import Matrix


def looks_matrix(weights: np.ndarray, keys: Sequence[str], kind: str, token: str, words: Mapping[str, str]) -> Matrix:
    """Where each head looks from one token, (H, K), and their mean below."""
    rows = (*(words["head"].format(head=head) for head in range(len(weights))), words["mean"])
    values = np.vstack([weights, weights.mean(axis=0)])
    labels = (rows, tuple(keys), words["heads"], words["keys"])
    return Matrix("looks", words["looks"].format(token=token), values, *labels, scale="weight", colour=kind)


def kept_matrix(probabilities: np.ndarray, tokens: Sequence[str], words: Mapping[str, str]) -> Matrix:
    """The probability of each token with all heads, with each alone, and with all looking alike, (H + 2, T)."""
    rows = (
        words["all_row"],
        *(words["head"].format(head=head) for head in range(len(probabilities) - 2)),
        words["alike_row"],
    )
    labels = (rows, tuple(tokens), words["cases"], words["written"])
    return Matrix("kept", words["kept"], probabilities, *labels, scale="weight")
