"""The formula of each step of a head, in LaTeX, with the shape of each matrix under it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Values = Mapping[str, np.ndarray | None]


def latex(step: str, values: Values, *, head: int, cross: bool, norm: str, fill: str = "-inf") -> str:
    """Section 3.2 of the paper for head `head` (from 0); h is the residual stream, m the encoder's output."""
    source = "m" if cross else "x"
    d_k = np.asarray(values["k"]).shape[1]
    input_ = rf"{_under(values, 'x', 'x')} = " + (r"\mathrm{LayerNorm}(h)" if norm == "pre" else "h")
    joined = _under(values, "concatenated", r"\mathrm{Concat}(\mathrm{head}_0, \dots)")
    bias = "" if values["b_o"] is None else " + b^O"
    written = _under(values, "output", r"\mathrm{output}")
    total = _under(values, "added", r"h + \mathrm{output}")
    hidden = {"-inf": r"-\infty", "-1e9": r"-10^9"}[fill]
    cases = rf"\begin{{cases}} s_{{ij}} & M_{{ij}} = 1 \\ {hidden} & M_{{ij}} = 0 \end{{cases}}"
    name = rf"\mathrm{{head}}_{{{head}}}"
    formulas = {
        "input": input_ + (rf" \qquad {_under(values, 'memory', 'm')} = \mathrm{{encoder}}" if cross else ""),
        "query": _projected(values, "q", "x", head, "x"),
        "key": _projected(values, "k", source, head, "memory"),
        "value": _projected(values, "v", source, head, "memory"),
        "raw": rf"{_under(values, 'raw', 'r')} = {_under(values, 'q', 'q')}\;{_under(values, 'k_transposed', 'k^{T}')}",
        "scaled": rf"{_under(values, 'scaled', 's')} = \frac{{q\,k^T}}{{\sqrt{{d_k}}}} = \frac{{r}}{{\sqrt{{{d_k}}}}}",
        "mask": rf"{_under(values, 'allowed', 'M')}",
        "masked": rf"\underset{{{_shape(values['masked'])}}}{{\tilde{{s}}_{{ij}}}} = {cases}",
        "softmax": r"a_{ij} = \frac{e^{\tilde{s}_{ij}}}{\sum_{l} e^{\tilde{s}_{il}}}",
        "mix": rf"{_under(values, 'head_output', name)} = {_under(values, 'weights', 'a')}\;{_under(values, 'v', 'v')}",
        "concat": joined,
        "output": rf"{written} = {joined}\;{_under(values, 'w_o', 'W^O')}{bias}",
        "residual": r"h' = " + (rf"\mathrm{{LayerNorm}}({total})" if norm == "post" else total),
    }
    return formulas[step]


def _projected(values: Values, name: str, symbol: str, head: int, source: str) -> str:
    letter = name.upper()
    bias = "" if values[f"b_{name}"] is None else rf" + b^{letter}_{{{head}}}"
    weight = _under(values, f"w_{name}", rf"W^{letter}_{{{head}}}")
    return rf"{_under(values, name, name)} = {_under(values, source, symbol)}\;{weight}{bias}"


def _under(values: Values, part: str, symbol: str) -> str:
    return rf"\underset{{{_shape(values[part])}}}{{{symbol}}}"


def _shape(value: np.ndarray | None) -> str:
    return r" \times ".join(map(str, np.asarray(value).shape))
