"""Attention as a soft look-up, small enough to follow by hand: weighted sums, score functions, and why ÷ √d_k.

n keys, Q queries, D = d_k entries each. In numpy and double precision; whatever is random comes from a seed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from model.analysis.softmax import entropy_bits, softmax
from model.errors import InvalidInput

# The textbook's dictionary, and the weights with which it answers 8.
FRUIT = {"apple": 10, "banana": 5, "chair": 2}
FRUIT_WEIGHTS = (0.6, 0.4, 0.0)

# Two signs along a road: the keys are their kilometres, the values the heights in metres that they say.
KEYS = (1.0, 2.0)
VALUES = (50.0, 180.0)
QUERIES = (1.2, 1.8)
SHARPNESS = 10.0  # of nearness, with which the output on a key is that key's value within a metre
LINE = (-4.0, 10.0)  # where a query may stand
NEAR = (0.0, 3.0)  # the part of the line that is drawn while both queries stand in it

# A tutorial's queries for the same keys and values, which it calls waist, hip, weight and height; with dot products.
TUTORIAL = (7.0, 8.0)

SIMILARITIES = ("dot", "gaussian")
SCORES = ("dot", "scaled", "additive")
SIZES = (2, 4, 8, 16, 32, 64, 128, 256, 512)


def normalised(weights: ArrayLike) -> np.ndarray:
    """Weights ≥ 0 (n) divided by their sum. Raises `InvalidInput` where that is 0."""
    shares = np.asarray(weights, dtype=float)
    if not shares.sum() > 0:
        raise InvalidInput("lookup_sum")
    return shares / shares.sum()


def weighted_sum(weights: ArrayLike, values: ArrayLike) -> np.ndarray:
    """Σ_i α_i v_i: weights (…, n) and values (n) to (…)."""
    return np.asarray(weights, dtype=float) @ np.asarray(values, dtype=float)


def sums_to_one(weights: ArrayLike) -> bool:
    """Whether a weighted sum with them is an average; rounding aside."""
    return bool(abs(np.asarray(weights, dtype=float).sum() - 1) < 1e-9)


def gradient_norm(weights: np.ndarray) -> np.ndarray:
    """Frobenius norm of softmax's Jacobian, ∂α_i / ∂s_j = α_i (δ_ij − α_j), of each row: (…, n) to (…).

    0 for a hard look-up: nothing to learn from.

    ‖diag(α) − ααᵀ‖² = Σ_i α_i² (1 − α_i)² + Σ_{i≠j} α_i² α_j², and 1 − α_i is the sum of the others:
    taken as a difference, it would lose the digits that matter where one weight is nearly 1.
    """
    others = 1 - np.eye(weights.shape[-1])
    squares = weights**2  # (…, n)
    return np.sqrt((squares * ((weights @ others) ** 2 + squares @ others)).sum(axis=-1))


@dataclass(frozen=True)
class LookUp:
    """softmax(scores) V, every step kept."""

    scores: np.ndarray  # (Q, n)
    weights: np.ndarray  # (Q, n)
    output: np.ndarray  # (Q)


def look_up(
    queries: ArrayLike, keys: ArrayLike, values: ArrayLike, similarity: str = "dot", sharpness: float = 1.0
) -> LookUp:
    """Soft look-up with queries (Q), keys (n) and values (n) that are one number each.

    `dot` is q · k, the Transformer's; `gaussian` −(q − k)² / 2, which asks how near the key is.
    `sharpness` multiplies the scores: 0 weighs all keys the same, a large one is nearly a hard look-up.
    """
    q, k = np.asarray(queries, dtype=float)[:, None], np.asarray(keys, dtype=float)
    scores = sharpness * (q * k if similarity == "dot" else -((q - k) ** 2) / 2)  # (Q, n)
    weights = softmax(scores)
    return LookUp(scores, weights, weighted_sum(weights, values))


def look_up_by_parts(query: ArrayLike, keys: ArrayLike, values: ArrayLike) -> LookUp:
    """The other reading of (7, 8): one query (n) with a part for each key, which stands on an axis of its own."""
    scores = np.diag(np.asarray(keys, dtype=float)) @ np.asarray(query, dtype=float)  # (n)
    weights = softmax(scores[None])
    return LookUp(scores[None], weights, weighted_sum(weights, values))


def line(similarity: str, sharpness: float, queries: tuple[float, float] = QUERIES) -> tuple[np.ndarray, np.ndarray]:
    """The look-up for every query of the part of the line in which `queries` stand: queries (P) and outputs (P)."""
    low, high = NEAR if all(NEAR[0] <= query <= NEAR[1] for query in queries) else LINE
    line_ = np.linspace(low, high, 141)
    return line_, look_up(line_, KEYS, VALUES, similarity, sharpness).output


@dataclass(frozen=True)
class Vectors:
    """A query and its keys, and what the additive score needs; all entries of q, k N(0, 1)."""

    query: np.ndarray  # (D)
    keys: np.ndarray  # (n, D)
    w_q: np.ndarray  # (D, D)
    w_k: np.ndarray  # (D, D)
    v: np.ndarray  # (D)


def vectors(d_k: int, seed: int = 0, count: int = 5, likeness: float = 0.0) -> Vectors:
    """Random vectors; the query is `likeness` · k₁ + √(1 − likeness²) · noise, so that its variance stays 1.

    W_q, W_k and v are N(0, 1/D), as an additive score might start; training would fit them.
    """
    random = np.random.default_rng(seed)
    keys = random.standard_normal((count, d_k))
    query = likeness * keys[0] + np.sqrt(1 - likeness**2) * random.standard_normal(d_k)
    w_q, w_k = random.standard_normal((2, d_k, d_k)) / np.sqrt(d_k)
    return Vectors(query, keys, w_q, w_k, random.standard_normal(d_k) / np.sqrt(d_k))


def score(kind: str, inputs: Vectors) -> np.ndarray:
    """The scores (n) of one function: `dot` q · k, `scaled` q · k / √d_k (section 3.2.1), `additive`.

    `additive` is vᵀ tanh(W_q q + W_k k) (Bahdanau et al. 2015, appendix A.1.2, without biases).
    """
    if kind == "additive":
        return np.tanh(inputs.w_q @ inputs.query + inputs.keys @ inputs.w_k.T) @ inputs.v
    products = inputs.keys @ inputs.query
    return products / np.sqrt(len(inputs.query)) if kind == "scaled" else products


@dataclass(frozen=True)
class Spread:
    """A quantity over many samples: median and quartiles."""

    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Sharpness:
    """Measurements at one d_k; `variance` is that of q · k, theory d_k, `error` its standard error."""

    d_k: int
    variance: float
    error: float
    largest: dict[str, Spread]  # "unscaled" and "scaled": the largest weight
    entropy: dict[str, Spread]  # bits
    gradient: dict[str, Spread]  # norm of the softmax's Jacobian


def sharpness(d_k: int, keys: int = 16, samples: int = 200, seed: int = 0) -> Sharpness:
    """Measured on `samples` queries with `keys` keys each, all entries drawn from N(0, 1).

    The mean of q · k is exactly 0, so the mean of its squares is its variance; the products of one query
    are not independent of each other, so the standard error is that of the queries' means.
    """
    random = np.random.default_rng((seed, d_k))
    q = random.standard_normal((samples, 1, d_k), dtype=np.float32)
    k = random.standard_normal((samples, keys, d_k), dtype=np.float32)
    products = (k @ q.transpose(0, 2, 1))[..., 0].astype(float)  # (samples, keys)
    squares = (products**2).mean(axis=-1)  # (samples)
    weights = {"unscaled": softmax(products), "scaled": softmax(products / np.sqrt(d_k))}
    return Sharpness(
        d_k,
        variance=float(squares.mean()),
        error=float(squares.std(ddof=1) / np.sqrt(samples)),
        largest={kind: _spread(rows.max(axis=-1)) for kind, rows in weights.items()},
        entropy={kind: _spread(entropy_bits(rows)) for kind, rows in weights.items()},
        gradient={kind: _spread(gradient_norm(rows)) for kind, rows in weights.items()},
    )


def _spread(samples: np.ndarray) -> Spread:
    return Spread(*(float(value) for value in np.quantile(samples, (0.25, 0.5, 0.75))))
