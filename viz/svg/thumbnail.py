"""One head as a small picture without labels, for a list of models; its colour follows the theme."""

import base64

import numpy as np

from ..palette import KIND

MOST = 24  # cells either way; larger ones are drawn by the largest weight of each patch
FAINT = 0.04  # below it a cell is not drawn


def thumbnail(weights: np.ndarray, kind: str) -> str:
    """Weights (Q, K) as an SVG file; it asks the page around it whether that is dark."""
    small = _reduced(np.asarray(weights, dtype=float))
    rows, columns = small.shape
    cells = "".join(
        f'<rect x="{k}" y="{q}" width=".92" height=".92" fill-opacity="{min(1.0, weight):.2f}"/>'
        for q, row in enumerate(small)
        for k, weight in enumerate(row)
        if weight >= FAINT
    )
    light, dark = KIND[kind]["light"], KIND[kind]["dark"]
    style = f"rect {{ fill: {light} }} @media (prefers-color-scheme: dark) {{ rect {{ fill: {dark} }} }}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns} {rows}"><style>{style}</style>{cells}</svg>'


def address(svg: str) -> str:
    """An SVG file as the source of an image."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _reduced(weights: np.ndarray) -> np.ndarray:
    """At most `MOST` cells either way, each the largest weight of its patch."""
    for axis in (0, 1):
        length = weights.shape[axis]
        if length > MOST:
            starts = [length * i // MOST for i in range(MOST)]
            weights = np.maximum.reduceat(weights, starts, axis=axis)
    return weights
