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


def significant(value: float, digits: int) -> float:
    """A number with so many significant digits, as the data of a figure has it: 0.01235 for 0.0123456 with four."""
    return float(f"{value:.{digits}g}")


def percent(share: float, decimals: int = 0) -> str:
    """A share in percent; only none is 0% and only all is 100%: 99.8% for 0.998, >99.9% for 0.99999."""
    if not 0 < share < 1:
        return f"{share + 0.0:.{0 if round(share, 6) in (0, 1) else decimals}%}".replace("-", "−")
    for digits in (decimals, max(decimals, 1)):
        text = f"{share:.{digits}%}"
        if 0 < float(text[:-1]) < 100:
            return text
    least = 10.0**-digits
    return f"<{least:.{digits}f}%" if share < 0.5 else f">{100 - least:.{digits}f}%"


def signed(value: float, decimals: int = 2) -> str:
    """A number with its sign and a real minus; none where it is rounded to 0."""
    number = round(value, decimals) + 0.0
    return f"{number:{'+' if number else ''}.{decimals}f}".replace("-", "−")


def signed_percent(share: float, decimals: int = 1) -> str:
    """A change or a return in percent: +0.4%, −1.2%, 0.0%."""
    return f"{signed(100 * share, decimals)}%"
