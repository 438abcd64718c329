"""Numbers as text for users: three digits, and powers of ten for very small or large ones."""

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def exponent_text(exponent: int) -> str:
    """An exponent in raised digits."""
    return str(exponent).translate(_RAISED)


def power_of_ten(value: float, figures: int = 1) -> str:
    """A number as a power of ten: 3.6·10⁻⁷ for 3.6e-07 with two digits, 10⁻⁵ for 1e-05, 0 for 0; NaN and ∞ by name."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits, exponent = f"{value:.{figures - 1}e}".split("e")
    power = f"10{exponent_text(int(exponent))}"
    return {"1": power, "-1": f"−{power}"}.get(digits, f"{digits}·{power}".replace("-", "−"))


def three_figures(value: float) -> str:
    """A number with three significant digits: 1,024; 2; 0.0137; 9.41·10⁻⁴."""
    if abs(value) >= 999.5:  # which three figures would write as 1e+03
        return f"{value:,.0f}"
    return power_of_ten(value, 3) if 0 < abs(value) < 0.001 else f"{value:.3g}"
