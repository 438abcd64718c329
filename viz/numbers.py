"""Numbers that are very small or very large, as they are written by hand."""

import math

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value: float, figures: int = 1) -> str:
    """3.6e-07 with two figures: 3.6·10⁻⁷; 1e-05: 10⁻⁵; 0: 0; what is no number by its name."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits, exponent = f"{value:.{figures - 1}e}".split("e")
    power = f"10{str(int(exponent)).translate(_RAISED)}"
    return {"1": power, "-1": f"−{power}"}.get(digits, f"{digits}·{power}".replace("-", "−"))


def three_figures(value: float) -> str:
    """1,024; 2; 0.0137; 9.41·10⁻⁴: never as code writes it."""
    if abs(value) >= 999.5:  # which three figures would write as 1e+03
        return f"{value:,.0f}"
    return power_of_ten(value, 3) if 0 < abs(value) < 0.001 else f"{value:.3g}"
