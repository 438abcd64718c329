"""The residual stream of a pass: its value at each depth, and what each sublayer adds to it.

T tokens, L layers, N depths. The arrays are those of a trace and need no torch, so that a recorded pass
can be shown before torch is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

Side = Literal["encoder", "decoder"]
SIDES: tuple[Side, ...] = ("encoder", "decoder")
PARTS = ("self_attention", "cross_attention", "feed_forward")  # of a layer, in the order of the pass
INPUT, FINAL = "input", "final"
Values = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Sublayer:
    """Step of the residual stream through one sublayer, all tokens at once.

    before  (T, d_model) the stream that came in
    output  (T, d_model) what the sublayer wrote
    after   (T, d_model) the stream that went on: before + output, normalised where the norm comes after
    """

    layer: int
    part: str
    before: np.ndarray
    output: np.ndarray
    after: np.ndarray

    @property
    def depth(self) -> str:
        """`0.self_attention`: how this sublayer is named in a link."""
        return f"{self.layer}.{self.part}"

    @property
    def summed(self) -> np.ndarray:
        """before + output, (T, d_model)."""
        return self.before + self.output


@dataclass(frozen=True)
class Normed:
    """One LayerNorm of the model: where it stands and the vectors (T, d_model) that enter it."""

    depth: str
    x: np.ndarray


def sides(values: Values) -> tuple[Side, ...]:
    """The stacks that a pass went through."""
    return tuple(side for side in SIDES if f"{side}.input" in values)


def sublayers(values: Values, side: Side) -> list[Sublayer]:
    """Every sublayer of a stack in the order of the pass."""
    result: list[Sublayer] = []
    before = values[f"{side}.input"]
    for layer, part in _parts(values, side):
        name = f"{side}.{layer}.{part}"
        after = values[f"{name}.residual"]
        result.append(Sublayer(layer, part, before, values[f"{name}.output"], after))
        before = after
    return result


def _parts(values: Values, side: Side) -> Iterator[tuple[int, str]]:
    layer = 0
    while present := [part for part in PARTS if f"{side}.{layer}.{part}.residual" in values]:
        yield from ((layer, part) for part in present)
        layer += 1


def stream(values: Values, side: Side) -> dict[str, np.ndarray]:
    """The residual stream along the depth, depth -> (T, d_model): the input, then after each sublayer."""
    return {INPUT: values[f"{side}.input"]} | {sub.depth: sub.after for sub in sublayers(values, side)}


def lengths(x: np.ndarray) -> np.ndarray:
    """‖x‖ of each row: (…, d_model) to (…), without unit."""
    return np.linalg.norm(x.astype(np.float64), axis=-1)


# LayerNorm and BatchNorm


def norms(values: Values, side: Side, norm: str, final_norm: bool, parallel: bool = False) -> list[Normed]:
    """Every LayerNorm of a stack with what enters it: before a sublayer (pre), after its sum (post), and at the end.

    In parallel, what enters the norm of the feed-forward network is what entered the layer.
    """
    subs = sublayers(values, side)
    entered = [subs[at - 1] if parallel and sub.part == PARTS[2] else sub for at, sub in enumerate(subs)]
    result = [
        Normed(sub.depth, first.before if norm == "pre" else sub.summed)
        for sub, first in zip(subs, entered, strict=True)
        if norm != "none"
    ]
    if final_norm:
        result.append(Normed(FINAL, list(stream(values, side).values())[-1]))
    return result


# Feed-forward


def hidden(values: Values, side: Side, name: str = "hidden") -> np.ndarray:
    """Hidden activations of every layer's feed-forward, or of its `gate`: (L, T, d_ff)."""
    return np.stack(
        [values[f"{side}.{layer}.{part}.{name}"] for layer, part in _parts(values, side) if part == PARTS[2]]
    )


def silent_share(activations: np.ndarray) -> np.ndarray:
    """Share of units that are switched off, (…, d_ff) to (…) in [0, 1].

    Under ReLU those are the zeros; GELU and SiLU have hardly any, but are 0 or below
    exactly where their input is.
    """
    return (activations <= 0).mean(-1)


def strongest(activations: np.ndarray, count: int) -> np.ndarray:
    """The `count` units with the largest activation of (d_ff), largest first."""
    return np.argsort(-activations, kind="stable")[:count]
