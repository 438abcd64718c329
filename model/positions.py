"""What the sinusoidal table of section 3.5 is made of: wavelengths, inner products, rotations, worked examples.

m and n are positions counted from 0, i a pair of columns (2i, 2i + 1), θ_i = base^(−2i / d_model) its
frequency in radians per position. In numpy and double precision, independent of the model's own table.
"""

import numpy as np

from model.refused import Refused


def frequencies(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """θ, (d_model / 2), rad per position, highest first. Raises `Refused` for an odd d_model or a base up to 1."""
    if d_model < 2 or d_model % 2:
        raise Refused("config_odd", d_model=d_model)
    if not base > 1:
        raise Refused("config_base", value=base)
    return base ** (-np.arange(0, d_model, 2) / d_model)


def wavelengths(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """2π · base^(2i / d_model), (d_model / 2), in positions: how far until pair i repeats."""
    return 2 * np.pi / frequencies(d_model, base)


def positions(length: int, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """The table (length, d_model): sin in even columns, cos in odd ones."""
    angle = np.arange(length)[:, None] * frequencies(d_model, base)  # (length, d_model / 2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, d_model)


def inner_products(distances: np.ndarray, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """⟨PE(m), PE(n)⟩ = Σ_i cos((m − n) θ_i) for each distance m − n; the shape of `distances`, at most d_model / 2."""
    return np.cos(np.asarray(distances)[..., None] * frequencies(d_model, base)).sum(axis=-1)


def rotation(k: float, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """R(k), (d_model, d_model), orthogonal, with PE(m + k) = R(k) PE(m) for every m.

    One block [[cos kθ, sin kθ], [−sin kθ, cos kθ]] for each pair.
    """
    matrix = np.zeros((d_model, d_model))
    for i, angle in enumerate(k * frequencies(d_model, base)):
        cos, sin = np.cos(angle), np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]
    return matrix


def worked_input() -> np.ndarray:
    """The textbook's four embeddings (4, 4): row m is (m + 1) / 10 and on in steps of 0.1."""
    return (1 + np.arange(4)[:, None] + np.arange(4)) / 10


def worked_example(base: float = 10_000.0) -> np.ndarray:
    """Embedding plus position, (4, 4), as the textbook works it."""
    return worked_input() + positions(4, 4, base)


# The textbook's row 3: its first two columns fit base 10,000 (up to a cut digit), its last two base 100.
PUBLISHED_ROW_3 = (0.541, -0.489, 0.895, 1.655)
