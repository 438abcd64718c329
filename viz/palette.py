"""The colours of the figures, for the browser and for exported SVG.

Colour means kind: teal encoder, violet decoder, orange cross. A weight runs from the
background of its card to the colour of its kind, in even steps of OKLab, so that equal
differences of weight look equally large. Signed values run from the ground, which is 0,
to blue (negative) and to red (positive), two colours of equal lightness and chroma.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import numpy as np

Mode = Literal["light", "dark"]
MODES: tuple[Mode, ...] = ("light", "dark")

SURFACE = {
    "light": {"card": "#ffffff", "line": "#e4e6e8", "ink": "#1a1d21", "muted": "#5f6670", "soft": "#f4f5f4"},
    "dark": {"card": "#1a1d21", "line": "#2f343b", "ink": "#f1f2f3", "muted": "#a3a9b1", "soft": "#262a30"},
}

KIND = {
    "encoder": {"light": "#0b7a75", "dark": "#3fb8ae"},
    "decoder": {"light": "#6d4bc3", "dark": "#a48cf0"},
    "cross": {"light": "#c8551b", "dark": "#f08a4b"},
}

# Text needs more contrast with the card than a filled cell does.
KIND_INK = {
    "encoder": {"light": "#0b7a75", "dark": "#4cc2b8"},
    "decoder": {"light": "#6441bd", "dark": "#b09bf3"},
    "cross": {"light": "#b84a13", "dark": "#f2935a"},
}

# Two quantities that are added up: apart from each other and from the kinds, for colour-blind users too.
QUANTITY = {
    "embedding": {"light": "#566300", "dark": "#ccd27a"},
    "position": {"light": "#8a2a68", "dark": "#f3b3e0"},
}

NEUTRAL = {"light": "#4a5361", "dark": "#b4bcc6"}

# OKLCH: 0.47 / 0.15 in light and 0.72 / 0.13 in dark, hues 258 and 33
SIGN = {
    "negative": {"light": "#1a57ad", "dark": "#70a6f5"},
    "positive": {"light": "#9d2f19", "dark": "#ea846e"},
}

HEADS = {
    "light": (
        "#c8551b", "#2f7fb8", "#8a9a1f", "#b0478c", "#3f4a9c", "#b08618",
        "#2b8f84", "#6f6f76", "#7b4f2c", "#5b9bd5", "#56661a", "#8b5fbf",
    ),
    "dark": (
        "#f08a4b", "#5aa9e0", "#b3c33c", "#d97bb8", "#8f9af0", "#e2bd5a",
        "#55c4b8", "#b5b8bd", "#c99a72", "#a3d0f5", "#93a84e", "#c6a5ee",
    ),
}  # fmt: skip

# Charts have one tone for both grounds, to be read on a light and on a dark card.
ORANGE, BLUE, OLIVE, MAGENTA, _, GOLD, TEAL, _, _, SKY, _, _ = HEADS["light"]
VIOLET, PINK, EARTH = KIND["decoder"]["light"], HEADS["dark"][3], "#a8714a"
INK = "currentColor"  # of words in a chart: the page's own, on either ground
MUTED = "#868d96"  # of rules, frames and what is beside the point
ASH, STONE, MIST, GUIDE = "#7a7a82", "#7b828b", "#8a9099", "#8a929c"  # greys of a plain series, of what is or was there
CLOUD, UNCERTAIN = "#9aa1aa", "#a9a39a"
LESS, MORE = "#3a78c9", "#c4573d"  # of a number that falls or rises
GOOD, BAD = "#3f7fd0", "#cf5a41"  # of what is as it should be, and of what is broken
HOLDS, FAILS = "#3f8cc9", "#d9534a"  # of a verdict
STEEL, BRICK, RED = "#3a86c8", "#cc4a3b", "#c9503a"
OWN, WRITTEN = "#7a5bd0", "#8467d6"  # of what the decoder writes
MODELS = (BLUE, ORANGE, "#7a8a1f", MAGENTA, "#6b63c9", "#8a6a3a")  # of models that are compared
# of what writes into the stream: the kinds of attention keep their hue
PARTS = {"encoder": "#1a938b", "decoder": "#8b6fd8", "cross": "#d9652a", "feed_forward": "#808791", "input": "#808791"}
# grounds for white text
CHIP, NEAR, FINAL = SURFACE["light"]["muted"], "#8a5a46", KIND_INK["cross"]["light"]
WHITE = SURFACE["light"]["card"]

# Of pages, light and dark. Streamlit reads the first six in `.streamlit/config.toml`.
PAGE = {
    "ground": ("#fbfaf8", "#111317"),
    "raised": ("#ffffff", "#1a1d22"),
    "text": ("#191d23", "#eceff3"),
    "link": ("#a5420f", "#f4a070"),
    "accent": ("#a5420f", "#f08a4b"),
    "border": ("#e4e2dd", "#2b3037"),
    "on_accent": ("#ffffff", "#111317"),
    "quiet": ("#5f646b", "#a9afb7"),  # text beside the main one
    "edge": ("#d9d6cf", "#3a4149"),  # a border that is seen
    "warm": ("#fff7f1", "#2a211b"),
    "button": ("#ffffff", "#1f2428"),
    "key": ("#f4f3ef", "#262b31"),
    "key_edge": ("#c9c5bd", "#4a525c"),
    "good": ("#1f5ca8", "#86b6f2"),
    "bad": ("#a5401f", "#f0907a"),
    "answered": ("#2f6fb0", "#6fa8dc"),
    "notice_info": ("#eef5fa", "#17222b"),
    "notice_warning": ("#fbf5e4", "#262114"),
    "bar": ("#b9abe6", "#5d4f91"),
    "bar_others": ("#b7bcc2", "#585f68"),
    "bar_track": ("#f3f3f2", "#24282e"),
}

# the colours that a style sheet names, light and dark; the tones of charts are the same in both
NAMED = {
    **{name: (SURFACE["light"][name], SURFACE["dark"][name]) for name in SURFACE["light"]},
    **{name: (each["light"], each["dark"]) for name, each in (KIND | QUANTITY | SIGN | {"neutral": NEUTRAL}).items()},
    "first": (HEADS["light"][1], HEADS["dark"][1]),
    **PAGE,
    "orange": (ORANGE, ORANGE),
    "blue": (BLUE, BLUE),
    "magenta": (MAGENTA, MAGENTA),
    "gold": (GOLD, GOLD),
    "violet": (VIOLET, VIOLET),
    "rule": (MUTED, MUTED),
    "healthy": (GOOD, GOOD),
    "broken": (BAD, BAD),
    "final": (FINAL, FINAL),
}

# The first step is a breath of colour: a small weight stays visible as a cell,
# while a forbidden one (exactly 0) shows the bare card.
FIRST_STEP = 0.05
STEPS = 17


def ramp(kind: str, mode: Mode) -> tuple[str, ...]:
    """STEPS colours for the weights 0 … 1 of a kind, or of "neutral"."""
    return _ramp((KIND | {"neutral": NEUTRAL})[kind][mode], mode, FIRST_STEP)


def sign_ramp(sign: str, mode: Mode) -> tuple[str, ...]:
    """STEPS colours from 0, the bare card, to the full "negative" or "positive"."""
    return _ramp(SIGN[sign][mode], mode, 0)


def _ramp(colour: str, mode: Mode, first: float) -> tuple[str, ...]:
    start, end = _oklab(SURFACE[mode]["card"]), _oklab(colour)
    share = first + (1 - first) * np.linspace(0, 1, STEPS)  # (STEPS,)
    return tuple(_hex(start + s * (end - start)) for s in share)


def palette() -> dict[str, object]:
    """Everything the browser needs, as plain JSON values."""
    return {
        mode: {
            "surface": SURFACE[mode],
            "heads": HEADS[mode],
            "kinds": {
                kind: {"colour": KIND[kind][mode], "ink": KIND_INK[kind][mode], "ramp": ramp(kind, mode)}
                for kind in KIND
            },
            "tones": {"a": HEADS[mode][1], "b": HEADS[mode][0], "c": NEUTRAL[mode]}
            | {name: QUANTITY[name][mode] for name in QUANTITY},
            "ramps": {"neutral": ramp("neutral", mode)} | {sign: sign_ramp(sign, mode) for sign in SIGN},
            "page": {name: PAGE[name][at] for name in ("accent", "bar", "bar_others", "bar_track")},
        }
        for at, mode in enumerate(MODES)
    }


def style_sheet(path: Path) -> str:
    """The style sheet in a file."""
    return coloured(path.read_text(encoding="utf-8"))


def coloured(style: str) -> str:
    """A style sheet with the colours that it names: `colour(link)`, `colour(link dark)`, or a tone, `colour(gold)`."""

    def of(match: re.Match[str]) -> str:
        light, dark = NAMED[match[1]]
        if match[2] or light == dark:
            return dark if match[2] == "dark" else light
        return f"light-dark({light}, {dark})"

    return re.sub(r"\bcolour\((\w+)(?: (light|dark))?\)", of, style)


# sRGB ↔ OKLab, Björn Ottosson 2020.
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def _to_hex(rgb: np.ndarray) -> str:
    return "#" + "".join(f"{round(float(np.clip(c, 0, 1)) * 255):02x}" for c in rgb)


def _linear(rgb: np.ndarray) -> np.ndarray:
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def _oklab(colour: str) -> np.ndarray:
    return _TO_LAB @ np.cbrt(_TO_LMS @ _linear(_rgb(colour)))


def _hex(lab: np.ndarray) -> str:
    linear = np.linalg.inv(_TO_LMS) @ (np.linalg.inv(_TO_LAB) @ lab) ** 3
    linear = np.clip(linear, 0, 1)
    return _to_hex(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055))
