"""Two things measured in turn, and the row of the table that they become."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Literal, TypeVar

T = TypeVar("T")
HEADER = f"{'ours ÷ other':<58}{'ours':>10}{'other':>10}{'ratio':>9}{'goal':>9}"
_UNITS = {"time": ((1.0, "s"), (1e-3, "ms")), "bytes": ((1e6, "MB"), (1e3, "kB"))}  # largest first


@dataclass(frozen=True)
class Row:
    """The medians of both sides (seconds or bytes), and the goal for the first over the second."""

    name: str
    ours: float
    other: float
    goal: Fraction | None
    unit: Literal["time", "bytes"] = "time"

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"≤ {_ratio(float(self.goal))}"
        ratio = _ratio(self.ours / self.other)
        return f"{self.name:<58}{self._amount(self.ours):>10}{self._amount(self.other):>10}{ratio:>9}{goal:>9}"

    def _amount(self, value: float) -> str:
        scale, name = next((unit for unit in _UNITS[self.unit] if value >= unit[0]), _UNITS[self.unit][-1])
        return f"{f'{value / scale:#.3g}'.rstrip('.')} {name}"  # three digits: 1.20, 12.0, 120


def in_turn(ours: Callable[[], T], other: Callable[[], T], times: int) -> tuple[list[T], list[T]]:
    """Results of both, measured A B A B …, so that whatever slows the machine down meets both alike."""
    pairs = [(ours(), other()) for _ in range(times)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def medians(ours: Callable[[], float], other: Callable[[], float], times: int) -> tuple[float, float]:
    """The median of what each of the two returns, measured in turn."""
    a, b = in_turn(ours, other, times)
    return median(a), median(b)


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _ratio(value: float) -> str:
    """1.04, or 1/30 where one side is a small part of the other."""
    return f"{value:.2f}" if value > 0.5 or not value else f"1/{1 / value:.3g}"
