"""The formula of each step of a head, in LaTeX, with the shape of each matrix under it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pages.shared.text.formulas import latex

Values = Mapping[str, np.ndarray | None]


def step_latex(
    step: str, values: Values, *, head: int, cross: bool, norm: str, fill: str = "-inf", kind: str = "torch"
) -> str:
    """`_step_latex` with the name of the model's norm."""
    formula = _step_latex(step, values, head=head, cross=cross, norm=norm, fill=fill)
    return formula.replace("LayerNorm", "RMSNorm") if kind == "rms" else formula


def _step_latex(step: str, values: Values, *, head: int, cross: bool, norm: str, fill: str) -> str:
    """Section 3.2 of the paper for head `head` (from 0); h is the residual stream, m the encoder's output."""
    matrices = {name: value for name, value in values.items() if value is not None and value.ndim == 2}
    shapes = {name: latex("shape", rows=len(value), columns=value.shape[1]) for name, value in matrices.items()}
    if step in ("query", "key", "value"):
        return _projected(values, shapes, step[0], cross, head)
    if step == "input":
        own = latex("step_input_pre" if norm == "pre" else "step_input", **shapes)
        return latex("step_memory", own=own, **shapes) if cross else own
    variants = {
        "masked": fill if values["bias"] is None else f"_biased{fill}",
        "output": "" if values["b_o"] is None else "_biased",
        "residual": "_post" if norm == "post" else "",
    }
    d_k = np.asarray(values["k"]).shape[1]
    return latex(f"step_{step}{variants.get(step, '')}", head=head, d_k=d_k, **shapes)


def _projected(values: Values, shapes: Mapping[str, str], name: str, cross: bool, head: int) -> str:
    """q, k or v: q is made of x, k and v of x or, in cross-attention, of m.

    Some models then normalise q and k, and rotary positions turn them.
    """
    is_normed, is_rotary = (values.get(f"{before}_{name}") is not None for before in ("unnormed", "unrotated"))
    unrotated = f"{name}'" if is_rotary else name
    formula = latex(
        "step_projected" if values[f"b_{name}"] is None else "step_projected_biased",
        made=f"{unrotated}'" if is_normed else unrotated,
        letter=name.upper(),
        head=head,
        source="m" if cross and name != "q" else "x",
        result=shapes[name],
        given=shapes["x" if name == "q" else "memory"],
        weight=shapes[f"w_{name}"],
    )
    formula += latex("step_normed", made=unrotated) if is_normed else ""
    return formula + latex("step_rotated", made=name) if is_rotary else formula
