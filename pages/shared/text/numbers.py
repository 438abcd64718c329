"""Numbers as the pages write them."""

from __future__ import annotations


def nats(value: float, digits: int = 3) -> str:
    """So many decimals, with a real minus, which a 0 has not."""
    return f"{value:z.{digits}f}".replace("-", "−")


def number(value: float, digits: int = 4) -> str:
    """Significant digits, with a real minus."""
    return f"{value:.{digits}g}".replace("-", "−")


def bracketed(value: float) -> str:
    """The same, in brackets where a sign before it would meet its minus."""
    return f"({number(value)})" if value < 0 else number(value)
