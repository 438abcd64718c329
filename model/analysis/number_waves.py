"""Numbers as tokens: which waves their embeddings are made of, and the circle on which a wave puts them.

N numbers 0 … N − 1 that are tokens of their own, d dimensions. A model that adds modulo N can keep a number as angles
2πkn / N for a few frequencies k, so that a sum adds angles (Nanda et al. 2023).
"""

from collections.abc import Sequence

import numpy as np

from model.analysis import sinusoids

FEWEST = 8  # numbers that a spectrum says something about
MOST = 0.85  # of the energy, that few frequencies hold in a model that has found the rule


def ids_of(tokens: Sequence[str]) -> list[int]:
    """The ids of the tokens 0, 1, 2, … as far as all of them are tokens; none if they are fewer than `FEWEST`."""
    id_of = {token: id_ for id_, token in enumerate(tokens)}
    ids: list[int] = []
    while (id_ := id_of.get(str(len(ids)))) is not None:
        ids.append(id_)
    return ids if len(ids) >= FEWEST else []


def spectrum(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (F), in turns per number, and the length over all dimensions of the amplitudes of (N, d), (F)."""
    frequencies, amplitudes = sinusoids.spectrum(rows)
    return frequencies, np.linalg.norm(amplitudes, axis=1)


def shares(amplitudes: np.ndarray) -> np.ndarray:
    """Of what differs between numbers, the share of each frequency but 0: (F − 1) that sum to 1."""
    energy = amplitudes[1:] ** 2
    return energy / max(float(energy.sum()), 1e-30)


def needed(amplitudes: np.ndarray, share: float = MOST) -> int:
    """How many frequencies together hold that share of the energy."""
    return int(np.searchsorted(np.cumsum(np.sort(shares(amplitudes))[::-1]), share) + 1)


def strongest(amplitudes: np.ndarray, count: int) -> list[int]:
    """The frequencies with the largest amplitudes, as k of k / N, the largest first."""
    return [int(k) + 1 for k in np.argsort(-amplitudes[1:], kind="stable")[:count]]


def circle(rows: np.ndarray, k: int) -> np.ndarray:
    """The rows (N, d) on the plane of the cosine and the sine of frequency k / N: (N, 2), n at the angle 2πkn / N.

    The first axis points along the cosine's part, and the second is turned so that angles grow with n.
    """
    turns = 2 * np.pi * k * np.arange(len(rows)) / len(rows)
    cosine, sine = np.cos(turns) @ rows, np.sin(turns) @ rows  # (d) each
    first = cosine / max(float(np.linalg.norm(cosine)), 1e-30)
    rest = sine - (sine @ first) * first
    second = rest / max(float(np.linalg.norm(rest)), 1e-30)
    return np.asarray((rows - rows.mean(axis=0)) @ np.stack([first, second], axis=1))


def angles(places: np.ndarray) -> np.ndarray:
    """The angles of (N, 2) in degrees from 0 up to 360, (N)."""
    return np.degrees(np.arctan2(places[:, 1], places[:, 0])) % 360


def roundness(places: np.ndarray, k: int) -> float:
    """How far the angles of (N, 2) are from 2πkn / N: the mean distance in degrees, 0 for a circle, 90 for chance."""
    expected = 360 * k * np.arange(len(places)) / len(places)
    apart = np.abs(angles(places) - expected) % 360
    return float(np.minimum(apart, 360 - apart).mean())
