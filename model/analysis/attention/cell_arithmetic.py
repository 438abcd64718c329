"""One attention weight worked out on rounded numbers, so that a pocket calculator gives the same.

Each line is computed from the numbers shown above it and rounded half up: to DECIMALS places, the powers
of e and their sum to DIGITS significant digits. D = d_model / H products, K keys.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

DECIMALS = 4
DIGITS = 6
NOTHING = Decimal(0)


@dataclass(frozen=True)
class Exact:
    """The same steps as the model has them, unrounded."""

    dot: float
    scaled: float
    score: float
    power: float
    total: float
    weight: float


@dataclass(frozen=True)
class Cell:
    """q · k, ÷ √D, e to that, ÷ the row's sum: equation 1 for one query and one key.

    q, k, products  D numbers each
    dot             sum of the products as shown
    root            √D
    scaled          dot ÷ root
    bias            what the position adds to the score, or None
    score           scaled + bias
    scores, powers  K of the row: the score of each key (this one's from above) and e to it; a forbidden key
                    has no score (None) and 0
    total           sum of the powers
    exact           the model's own numbers
    """

    q: tuple[Decimal, ...]
    k: tuple[Decimal, ...]
    products: tuple[Decimal, ...]
    dot: Decimal
    root: Decimal
    scaled: Decimal
    bias: Decimal | None
    score: Decimal
    scores: tuple[Decimal | None, ...]
    powers: tuple[Decimal, ...]
    total: Decimal
    key: int
    exact: Exact

    @property
    def weight(self) -> Decimal:
        """This key's power ÷ total."""
        return self.share(self.key)

    @property
    def allowed(self) -> bool:
        """Whether the mask lets the query look at the key."""
        return self.scores[self.key] is not None

    def share(self, key: int) -> Decimal:
        """The weight of any key of the row."""
        return rounded(self.powers[key] / self.total)


def cell(
    q: np.ndarray,
    k: np.ndarray,
    row: np.ndarray,
    mask: np.ndarray,
    key: int,
    weight: float,
    bias: np.ndarray | None = None,
) -> Cell:
    """Work out one cell from q and k (D) of its query and key, and its row of scores and of the mask (K).

    `weight` is the model's, to stand beside. `bias` (K) is what positions add to the row of scores.
    """
    first, second = ([rounded(value) for value in vector] for vector in (q, k))
    products = [rounded(a * b) for a, b in zip(first, second, strict=True)]
    root = rounded(Decimal(len(q)).sqrt())
    dot = sum(products, NOTHING)
    scaled = rounded(dot / root)
    summand = None if bias is None else rounded(bias[key])
    score = scaled if summand is None else scaled + summand
    sums = row if bias is None else row + bias
    scores = [rounded(value) if visible else None for value, visible in zip(sums, mask, strict=True)]
    if mask[key]:
        scores[key] = score
    powers = [NOTHING if value is None else significant(value.exp()) for value in scores]
    total = significant(sum(powers, NOTHING))
    return Cell(
        tuple(first), tuple(second), tuple(products), dot, root, scaled, summand, score, tuple(scores), tuple(powers),
        total, key, _exact(q, k, float(row[key]), sums, mask, key, weight),
    )  # fmt: skip


def _exact(
    q: np.ndarray, k: np.ndarray, scaled: float, row: np.ndarray, mask: np.ndarray, key: int, weight: float
) -> Exact:
    powers = np.where(mask, np.exp(row.astype(float)), 0.0)  # (K)
    dot = float(q.astype(float) @ k.astype(float))
    return Exact(dot, scaled, float(row[key]), float(powers[key]), float(powers.sum()), float(weight))


def rounded(value: float | Decimal) -> Decimal:
    """To DECIMALS places, half up, as taught at school; never −0."""
    place = Decimal(1).scaleb(-DECIMALS)
    return Decimal(value if isinstance(value, Decimal) else float(value)).quantize(place, ROUND_HALF_UP) + NOTHING


def significant(value: Decimal) -> Decimal:
    """To DIGITS significant digits, half up."""
    return value.quantize(Decimal(1).scaleb(value.adjusted() - DIGITS + 1), ROUND_HALF_UP) if value else NOTHING


def shown(value: Decimal | float) -> str:
    """A number as it stands on the page: −0.0312, 12.4375, 5.18471e21."""
    if isinstance(value, Decimal) and value and not -5 <= value.adjusted() < 9:
        mantissa, exponent = f"{value:e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    else:
        text = f"{value:f}" if isinstance(value, Decimal) else f"{value:.7g}"
    return text.replace("-", "−") if math.isfinite(value) else text
