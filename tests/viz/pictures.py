"""Pictures of figures, for tests that read their SVG."""

from collections.abc import Mapping, Sequence

from viz.data import AttentionPanel, Look, Matrix, View
from viz.figures.attention import AttentionFigure, heads_svg
from viz.figures.matrices import MatrixFigure
from viz.palette import Mode


def matrix_svg(matrices: Sequence[Matrix], words: Mapping[str, str], mode: Mode = "light") -> str:
    """Matrices as a file has them."""
    return MatrixFigure(matrices, words=words).svg(dark=mode == "dark")


def attention_svg(
    heads: Sequence[tuple[AttentionPanel, int, int]],
    words: Mapping[str, str],
    mode: Mode = "light",
    *,
    view: View = "matrix",
) -> str:
    """Heads, each a panel with a layer and a head of it, below each other."""
    looks = [([panel], Look(view, panel.kind, layer, head)) for panel, layer, head in heads]
    return heads_svg([AttentionFigure(panels, look, words=words) for panels, look in looks], mode)
