"""LayerNorm of one vector step by step, and the result of other normalisations of the same vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from model.analysis.residual_stream import FINAL, PARTS, Side

if TYPE_CHECKING:
    from model.transformer import Transformer


@dataclass(frozen=True)
class Steps:
    """LayerNorm of one vector, step by step, each (d_model) and all in double precision.

    γ · centred / scale + β, scale being √(var + ε) in torch and std + ε in the textbook. RMSNorm subtracts no mean, its
    scale is √(mean of x² + ε), and it has no β (0 here).
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
    """Learned parameters of a LayerNorm, γ and β (d_model), and its constants."""

    gain: np.ndarray
    bias: np.ndarray
    eps: float
    kind: str  # as in the config: torch; textbook, with the unbiased std and ε outside the root; rms


def array(parameter: Any) -> np.ndarray:
    """A weight in double precision."""
    result: np.ndarray = parameter.detach().double().cpu().numpy()
    return result


def affine(model: Transformer, side: Side, depth: str, read: Callable[[Any], Any] = array) -> Affine:
    """Read the parameters of the LayerNorm at a depth of `norms`, each as `read` gives it."""
    if depth == FINAL:
        module = getattr(model, f"{side}_norm")
    else:
        layer, part = depth.split(".")
        stack = getattr(model, side)[int(layer)]
        present = [name for name in PARTS if getattr(stack, name, None) is not None]
        module = stack.residuals[present.index(part)].norm
    return affine_of(module, model.config.norm_kind, read)


def affine_of(module: Any, kind: str, read: Callable[[Any], Any] = array) -> Affine:
    """Read the parameters of a LayerNorm module of a kind."""
    gain = read(module.weight)
    return Affine(gain, 0 * gain if kind == "rms" else read(module.bias), module.eps, kind)


def layer_norm(x: np.ndarray, parameters: Affine) -> Steps:
    """LayerNorm of one vector x (d_model), taken apart."""
    x = x.astype(np.float64)
    rms = parameters.kind == "rms"
    centred = x if rms else x - x.mean()
    biased, unbiased = float(x.std()), float(x.std(ddof=1))
    scale = float(scales(parameters, x)[0])
    normalised = centred / scale
    result = parameters.gain * normalised + parameters.bias
    return Steps(
        x, float(x.mean()), biased, unbiased, scale, centred, normalised, parameters.gain, parameters.bias, result
    )  # fmt: skip


def scales(norm: Affine, x: Any) -> Any:
    """What a norm divides each row of x (…, d_model) by, (…, 1): of numpy or of torch, as x is."""
    if norm.kind == "rms":
        return ((x * x).mean(axis=-1, keepdims=True) + norm.eps) ** 0.5
    apart = x - x.mean(axis=-1, keepdims=True)
    squares = (apart * apart).sum(axis=-1, keepdims=True)
    if norm.kind == "textbook":
        return (squares / (x.shape[-1] - 1)) ** 0.5 + norm.eps
    return (squares / x.shape[-1] + norm.eps) ** 0.5


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
