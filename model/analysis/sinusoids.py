"""The sinusoidal table of section 3.5: wavelengths, inner products, rotations, and worked examples.

Also its alternatives: a single frequency, a learned table, and the size of a layer if positions are concatenated.

m and n are positions counted from 0, i a pair of columns (2i, 2i + 1), θ_i = base^(−2i / d_model) its
frequency in radians per position. In numpy and double precision, independent of the model's own table.
"""

from collections.abc import Sequence

import numpy as np

from model.errors import InvalidInput

# What system C reads the wavelengths as, in tokens; each band reaches half a decade to both sides.
BANDS = {"word": 10, "paragraph": 100, "document": 1000}
BEYOND = "beyond"  # the band above the last: longer than a document


def frequencies(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """θ, (d_model / 2), rad per position, highest first. Raises `InvalidInput` for an odd d_model or a base up to 1."""
    if d_model < 2 or d_model % 2:
        raise InvalidInput("config_odd", d_model=d_model)
    if not base > 1:
        raise InvalidInput("config_base", value=base)
    return base ** (-np.arange(0, d_model, 2) / d_model)


def wavelengths(d_model: int, base: float = 10_000.0) -> np.ndarray:
    """2π · base^(2i / d_model), (d_model / 2), in positions: how far until pair i repeats."""
    return 2 * np.pi / frequencies(d_model, base)


def positions(length: int, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """The table (length, d_model): sin in even columns, cos in odd ones."""
    angle = np.arange(length)[:, None] * frequencies(d_model, base)  # (length, d_model / 2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(length, d_model)


def entry(position: int, column: int, d_model: int, base: float = 10_000.0) -> tuple[float, float, float]:
    """How one number of the table comes about: base^(2i / d_model), the angle in rad, and its sine or cosine."""
    divisor = 1 / float(frequencies(d_model, base)[column // 2])
    angle = position / divisor
    return divisor, angle, float(np.cos(angle) if column % 2 else np.sin(angle))


def inner_products(distances: np.ndarray, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """⟨PE(m), PE(n)⟩ = Σ_i cos((m − n) θ_i) for each distance m − n; the shape of `distances`, at most d_model / 2."""
    return np.cos(np.asarray(distances)[..., None] * frequencies(d_model, base)).sum(axis=-1)


def products(rows: np.ndarray) -> np.ndarray:
    """The inner product of every two rows of (T, d_model), multiplied out: (T, T)."""
    return rows @ rows.T


def product_error(length: int, d_model: int, base: float = 10_000.0) -> float:
    """The largest difference between `products` and Σ cos over every two of `length` positions."""
    places = np.arange(length)
    formula = inner_products(places, d_model, base)[np.abs(places[:, None] - places)]  # each distance once
    return float(np.abs(products(positions(length, d_model, base)) - formula).max())


def falloff(m: int, length: int, d_model: int, bases: Sequence[float]) -> tuple[np.ndarray, dict[float, np.ndarray]]:
    """The distances n − m (length) from position m to all, and ⟨PE(m), PE(n)⟩ over them (length) for each base."""
    places = np.arange(length) - m
    return places, {base: inner_products(places, d_model, base) for base in bases}


def hands(places: Sequence[int], columns: Sequence[int], d_model: int, base: float = 10_000.0) -> np.ndarray:
    """(sin, cos) of the pairs that begin at the even `columns`, at some positions: (positions, pairs, 2)."""
    rows = positions(max(places) + 1, d_model, base)[list(places)]
    return rows.reshape(len(places), -1, 2)[:, [column // 2 for column in columns]]


def rotation(k: float, d_model: int, base: float = 10_000.0) -> np.ndarray:
    """R(k), (d_model, d_model), orthogonal, with PE(m + k) = R(k) PE(m) for every m.

    One block [[cos kθ, sin kθ], [−sin kθ, cos kθ]] for each pair.
    """
    matrix = np.zeros((d_model, d_model))
    for i, angle in enumerate(k * frequencies(d_model, base)):
        cos, sin = np.cos(angle), np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]
    return matrix


def band_edges(name: str) -> tuple[float, float]:
    """From which wavelength, in positions, to which a band reaches: half a decade to both sides."""
    return BANDS[name] / 10**0.5, BANDS[name] * 10**0.5


def bands(waves: np.ndarray) -> list[str]:
    """The band of each wavelength, "word" at the least since none is shorter than 2π."""
    return [next((name for name in BANDS if wave < band_edges(name)[1]), BEYOND) for wave in waves]


def spectrum(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fourier amplitudes of the columns (N, C) of a table over N positions.

    Returns the frequencies (N / 2 + 1), in turns per position and 1 / N apart (a bin), and the amplitudes
    (N / 2 + 1, C): 1 for a whole number of turns of a sine, c for a constant c. The peak of column 2i
    stands at θ_i / 2π.
    """
    count = len(columns)
    frequencies = np.fft.rfftfreq(count)
    shares = np.where((frequencies == 0) | (frequencies == 0.5), 1, 2)  # every other one stands there twice
    return frequencies, np.abs(np.fft.rfft(columns, axis=0)) * shares[:, None] / count


def peak_offsets(frequencies: np.ndarray, amplitudes: np.ndarray, theory: Sequence[float]) -> list[float]:
    """How far each column's peak of `spectrum` (F, C) stands from its frequency in `theory` (C), in bins."""
    peaks = frequencies[amplitudes.argmax(axis=0)]  # (C)
    return [abs(float(peak) - place) / float(frequencies[1]) for peak, place in zip(peaks, theory, strict=True)]


def rotation_error(k: int, length: int, d_model: int, base: float = 10_000.0) -> float:
    """The largest |PE(m + k) − R(k) PE(m)| over all positions m below `length` and all dimensions."""
    rows = positions(length + k, d_model, base)  # (length + k, d_model)
    return float(np.abs(rows[k:] - rows[:length] @ rotation(k, d_model, base).T).max())


def single_frequency(length: int, wavelength: float) -> np.ndarray:
    """A table (length, 2) with one wavelength alone, in positions."""
    angle = 2 * np.pi * np.arange(length) / wavelength
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1)


def step(rows: np.ndarray) -> float:
    """How far row 1 of a table (T, d) lies from row 0, as a share of the length of row 0."""
    return float(np.linalg.norm(rows[1] - rows[0]) / np.linalg.norm(rows[0]))


def distinct(rows: np.ndarray, tolerance: float = 1e-9) -> int:
    """How many rows of a table (T, d) differ from every row before them by more than `tolerance` somewhere."""
    return len(np.unique(np.round(rows / tolerance) + 0.0, axis=0))


def layer_parameters(width: int, d_ff: int, *, projection_bias: bool = True, feed_forward_bias: bool = True) -> int:
    """Parameters of one encoder layer over vectors of `width`: q, k, v, o, FFN and two LayerNorms."""
    attention = 4 * width * (width + projection_bias)
    feed_forward = 2 * width * d_ff + (d_ff + width) * feed_forward_bias
    return attention + feed_forward + 4 * width


def worked_input() -> np.ndarray:
    """The textbook's four embeddings (4, 4): row m is (m + 1) / 10 and on in steps of 0.1."""
    return (1 + np.arange(4)[:, None] + np.arange(4)) / 10


def worked_example(base: float = 10_000.0) -> np.ndarray:
    """Embedding plus position, (4, 4), as the textbook works it."""
    return worked_input() + positions(4, 4, base)


# The textbook's row 3: its first two columns fit base 10,000 (up to a cut digit), its last two base 100.
PUBLISHED_ROW_3 = (0.541, -0.489, 0.895, 1.655)
