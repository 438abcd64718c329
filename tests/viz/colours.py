"""Colours as figures have them, worked out from the palette a second time."""

import numpy as np

from viz.palette import STEPS, SURFACE, Mode, _linear, _rgb, _to_hex, ramp, sign_ramp


def weight_colour(weight: float, kind: str, mode: Mode) -> str:
    """The colour of one weight, the same as on the canvas."""
    if weight == 0:
        return SURFACE[mode]["card"]
    return _between(ramp(kind, mode), weight)


def signed_colour(value: float, mode: Mode) -> str:
    """The colour of a signed value, −1 … 1."""
    return _between(sign_ramp("negative" if value < 0 else "positive", mode), abs(value))


def _between(steps: tuple[str, ...], share: float) -> str:
    place = min(max(share, 0.0), 1.0) * (STEPS - 1)
    low = min(int(place), STEPS - 2)
    a, b = (_rgb(step) for step in steps[low : low + 2])
    return _to_hex(a + (place - low) * (b - a))


def ink_on(colour: str) -> str:
    """Black or white, whichever has the larger contrast on the colour; at least 4.5 : 1."""
    luminance = float(_linear(_rgb(colour)) @ np.array([0.2126, 0.7152, 0.0722]))
    return "#ffffff" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "#000000"
