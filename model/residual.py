"""The residual stream of a pass: what each sublayer adds, its norms taken apart, and what a layer would predict.

T tokens, L layers, N places along the depth, K candidates, V vocabulary. Arrays are those of a trace, so
all but the early predictions needs no torch: a recorded pass is shown before torch is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from model.transformer import Transformer

Side = Literal["encoder", "decoder"]
SIDES: tuple[Side, ...] = ("encoder", "decoder")
PARTS = ("self_attention", "cross_attention", "feed_forward")  # of a layer, in the order of the pass
INPUT, FINAL = "input", "final"
Values = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Sublayer:
    """What one sublayer did to the stream, all tokens at once.

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
    def place(self) -> str:
        """`0.self_attention`: how this sublayer is named in a link."""
        return f"{self.layer}.{self.part}"

    @property
    def summed(self) -> np.ndarray:
        """before + output, (T, d_model)."""
        return self.before + self.output


@dataclass(frozen=True)
class Normed:
    """One LayerNorm of the model: where it stands and the vectors (T, d_model) that enter it."""

    place: str
    x: np.ndarray


@dataclass(frozen=True)
class Steps:
    """LayerNorm of one vector, step by step, each (d_model) and all in double precision.

    γ · centred / scale + β, scale being √(var + ε) in torch and std + ε in the textbook.
    """

    x: np.ndarray
    mean: float
    biased: float  # std, Σ / d_model: torch's
    unbiased: float  # std, Σ / (d_model − 1): the textbook's
    scale: float
    centred: np.ndarray
    normalised: np.ndarray
    gain: np.ndarray
    bias: np.ndarray
    result: np.ndarray


@dataclass(frozen=True)
class Affine:
    """What a LayerNorm has learned, γ and β (d_model), and its constants."""

    gain: np.ndarray
    bias: np.ndarray
    eps: float
    textbook: bool  # unbiased std, ε outside the root


@dataclass(frozen=True)
class Early:
    """What the output layer makes of the stream at each of N places; ranks count from 1.

    places              (N) as in `places`
    top                 (N, T, K) the ids of the likeliest tokens, `top_probabilities` beside them
    top_before          (N, T, K) the rank each of them had one place earlier, 0 at the first place
    final               (T, K) the likeliest ids at the last place: the model's own prediction first
    final_ranks         (N, T, K) their rank at every place, `final_probabilities` beside them
    """

    places: tuple[str, ...]
    top: np.ndarray
    top_probabilities: np.ndarray
    top_before: np.ndarray
    final: np.ndarray
    final_ranks: np.ndarray
    final_probabilities: np.ndarray

    @property
    def settled(self) -> np.ndarray:
        """(T) the first place from which on the model's own prediction is always in front."""
        behind = self.final_ranks[:, :, 0] > 1  # (N, T)
        return np.array([int(np.flatnonzero(column).max(initial=-1)) + 1 for column in behind.T])


def sides(values: Values) -> tuple[Side, ...]:
    """The stacks that a pass went through."""
    return tuple(side for side in SIDES if f"{side}.input" in values)


def sublayers(values: Values, side: Side) -> list[Sublayer]:
    """Every sublayer of a stack in the order of the pass."""
    found: list[Sublayer] = []
    before = values[f"{side}.input"]
    for layer, part in _parts(values, side):
        name = f"{side}.{layer}.{part}"
        after = values[f"{name}.residual"]
        found.append(Sublayer(layer, part, before, values[f"{name}.output"], after))
        before = after
    return found


def _parts(values: Values, side: Side) -> Iterator[tuple[int, str]]:
    layer = 0
    while f"{side}.{layer}.feed_forward.residual" in values:
        yield from ((layer, part) for part in PARTS if f"{side}.{layer}.{part}.residual" in values)
        layer += 1


def stream(values: Values, side: Side) -> dict[str, np.ndarray]:
    """The residual stream along the depth, place -> (T, d_model): the input, then after each sublayer."""
    return {INPUT: values[f"{side}.input"]} | {sub.place: sub.after for sub in sublayers(values, side)}


def lengths(x: np.ndarray) -> np.ndarray:
    """‖x‖ of each row: (…, d_model) to (…), without unit."""
    return np.linalg.norm(x.astype(np.float64), axis=-1)


# LayerNorm and BatchNorm


def norms(values: Values, side: Side, norm: str, final_norm: bool) -> list[Normed]:
    """Every LayerNorm of a stack with what enters it: before a sublayer (pre), after its sum (post), and at the end."""
    found = [
        Normed(sub.place, sub.before if norm == "pre" else sub.summed)
        for sub in sublayers(values, side)
        if norm != "none"
    ]
    if final_norm:
        found.append(Normed(FINAL, list(stream(values, side).values())[-1]))
    return found


def affine(model: Transformer, side: Side, place: str) -> Affine:
    """What the LayerNorm at a place of `norms` has learned."""
    if place == FINAL:
        module = getattr(model, f"{side}_norm")
    else:
        layer, part = place.split(".")
        stack = getattr(model, side)[int(layer)]
        present = [name for name in PARTS if getattr(stack, name, None) is not None]
        module = stack.residuals[present.index(part)].norm
    gain, bias = (value.detach().numpy().astype(np.float64) for value in (module.weight, module.bias))
    return Affine(gain, bias, module.eps, model.config.norm_kind == "textbook")


def layer_norm(x: np.ndarray, learned: Affine) -> Steps:
    """LayerNorm of one vector x (d_model), taken apart."""
    x = x.astype(np.float64)
    centred = x - x.mean()
    biased, unbiased = float(x.std()), float(x.std(ddof=1))
    scale = unbiased + learned.eps if learned.textbook else float(np.sqrt(x.var() + learned.eps))
    normalised = centred / scale
    result = learned.gain * normalised + learned.bias
    return Steps(
        x, float(x.mean()), biased, unbiased, scale, centred, normalised, learned.gain, learned.bias, result
    )  # fmt: skip


def textbook_factor(d_model: int) -> float:
    """The textbook's result ÷ torch's, ε apart: √((d − 1) / d)."""
    return float(np.sqrt((d_model - 1) / d_model))


def normalise_tokens(x: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """LayerNorm without γ and β: each row of (T, d_model) by its own mean and std."""
    x = x.astype(np.float64)
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


def normalise_features(x: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """BatchNorm while training, without γ and β: each column of (T, d_model) by its mean and std over the tokens."""
    x = x.astype(np.float64)
    return (x - x.mean(0)) / np.sqrt(x.var(0) + eps)


# Feed-forward


def hidden(values: Values, side: Side) -> np.ndarray:
    """Hidden activations of every layer's feed-forward: (L, T, d_ff)."""
    return np.stack(
        [values[f"{side}.{layer}.{part}.hidden"] for layer, part in _parts(values, side) if part == PARTS[2]]
    )


def silent_share(activations: np.ndarray) -> np.ndarray:
    """Share of units that are switched off, (…, d_ff) to (…) in [0, 1].

    Under ReLU those are the zeros; GELU has none to speak of, but is 0 or below exactly where its input is.
    """
    return (activations <= 0).mean(-1)


def strongest(activations: np.ndarray, count: int) -> np.ndarray:
    """The `count` units with the largest activation of (d_ff), largest first."""
    return np.argsort(-activations, kind="stable")[:count]


# Early predictions


def early_places(values: Values, side: Side, every_sublayer: bool) -> dict[str, np.ndarray]:
    """Where to read the stream early, place -> (T, d_model): the input, then after each layer or each sublayer."""
    return {
        place: x
        for place, x in stream(values, side).items()
        if every_sublayer or place == INPUT or place.endswith(PARTS[2])
    }


def early_logits(model: Transformer, side: Side, x: np.ndarray) -> np.ndarray:
    """The model's own ending, final norm if there is one and output layer, on a stream (…, d_model): (…, V).

    The "logit lens"; at the last place it gives the model's logits.
    """
    import torch  # late, see above

    norm, output = getattr(model, f"{side}_norm"), model.output
    with torch.inference_mode():
        return output(norm(torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32)))).numpy()


def early(model: Transformer, values: Values, side: Side, every_sublayer: bool = False, count: int = 5) -> Early:
    """What each place would already predict, for every token."""
    places = early_places(values, side, every_sublayer)
    logits = [early_logits(model, side, x) for x in places.values()]  # N × (T, V)
    count = min(count, logits[0].shape[-1])
    final = _top(logits[-1], count)
    top = [_top(each, count) for each in logits]
    before = [np.zeros_like(top[0]), *(_ranks(*pair) for pair in zip(logits[:-1], top[1:], strict=True))]
    return Early(
        places=tuple(places),
        top=np.stack(top),
        top_probabilities=np.stack([_probabilities(*pair) for pair in zip(logits, top, strict=True)]),
        top_before=np.stack(before),
        final=final,
        final_ranks=np.stack([_ranks(each, final) for each in logits]),
        final_probabilities=np.stack([_probabilities(each, final) for each in logits]),
    )


def _top(logits: np.ndarray, count: int) -> np.ndarray:
    """(T, V) to the ids (T, K) of the largest, largest first; the lower id first where two are equal."""
    return np.argsort(-logits, axis=-1, kind="stable")[:, :count]


def _ranks(logits: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Rank from 1 of each of ids (T, K) among logits (T, V), counted as `_top` orders them."""
    own = np.take_along_axis(logits, ids, axis=-1)[:, :, None]  # (T, K, 1)
    larger = (logits[:, None] > own).sum(-1)
    equal = (logits[:, None] == own) & (np.arange(logits.shape[-1]) < ids[:, :, None])
    return 1 + larger + equal.sum(-1)


def _probabilities(logits: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """softmax of (T, V) at ids (T, K)."""
    weights = np.exp(logits.astype(np.float64) - logits.max(-1, keepdims=True))
    return np.take_along_axis(weights / weights.sum(-1, keepdims=True), ids, axis=-1)
