"""A figure that displays itself in a notebook and saves itself as a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ..components.attention import FRONTEND as ATTENTION
from ..components.attention import attention_data
from ..components.matrix.data import FRONTEND as MATRIX
from ..components.matrix.data import matrix_data
from ..components.matrix.height import WIDE
from ..components.matrix.height import height as matrix_height
from ..data import AttentionPanel, Kind, Matrix, View
from ..standalone.document import Component, Source, Text, document
from ..svg.attention import Head, attention_svg
from ..svg.matrix import matrix_svg
from .display import framed
from .texts import attention_words, matrix_words, tag

FORMS = (".html", ".svg", ".png")
OF_ATTENTION = 640  # px: until the frame knows the height of its figure


class Figure(ABC):
    """What the functions of this package return. A notebook shows it by itself."""

    def __init__(self, name: str, components: Sequence[Component], *, title: str, language: str, height: float):
        self.name = name  # for screen readers, and of a file without a title
        self.components = tuple(components)
        self.title = title
        self.language = language
        self.height = round(height)  # px

    def html(self) -> str:
        """One HTML file that works offline: pointing, locking, keyboard; light or dark as the reader's system is."""
        title = [Text(self.title, "title")] if self.title else []
        return document(self.title or self.name, [*title, *self.components], Source(), tag(self.language))

    @abstractmethod
    def svg(self, *, dark: bool = False) -> str:
        """A picture without interaction."""

    def save(self, path: str | PathLike[str], *, scale: float = 2, **picture: Any) -> Path:
        """Write a file; the end of its name chooses the form: .html, .svg or .png.

        `scale` is of PNG: pixels for each unit of the SVG. Further arguments are those of `svg`. PNG needs
        `pip install 'glassformer[png]'`. Raises ValueError for another ending.
        """
        file = Path(path)
        if file.suffix not in FORMS:
            raise ValueError(f"The name of the file ends in {', '.join(FORMS)}, not {file.suffix or 'nothing'}.")
        if file.suffix == ".png":
            file.write_bytes(_png(self.svg(**picture), scale))
        else:
            file.write_text(self.html() if file.suffix == ".html" else self.svg(**picture), encoding="utf-8")
        return file

    def widget(self) -> Any:
        """The same figure as a widget, whose `selection` is what is locked in it.

        Needs `pip install 'glassformer[widget]'` and a notebook that supports anywidget: Jupyter, VS Code, Colab
        or marimo.
        """
        from .widget import widget

        return widget(self.components, self.start)

    @property
    def start(self) -> dict[str, Any] | None:
        """What is locked when the figure begins, as the widget's `selection` says it."""
        return None

    def _repr_html_(self) -> str:
        return framed(self.html(), self.title or self.name, self.height)

    def __repr__(self) -> str:
        return f"<glassformer figure: {self.title or self.name}>"


class AttentionFigure(Figure):
    """Heads of attention; the widget's `selection` has `kind`, `layer`, `head`, `query` and `key`."""

    def __init__(
        self,
        panels: Sequence[AttentionPanel],
        view: View,
        *,
        kind: Kind | None,
        layer: int,
        head: int,
        title: str,
        language: str,
    ):
        self.panels = {panel.kind: panel for panel in panels}
        self.view = view
        self.kind: Kind = kind or panels[0].kind
        self.layer, self.head = layer, head
        self._words = attention_words(language, written=any(panel.read for panel in panels))
        self._check(self.kind, layer, head)
        shown = [self.kind] if view == "matrix" else list(self.panels)
        components = [Component("attention", ATTENTION, self._data(panels, each)) for each in shown]
        super().__init__(
            self._words["wall"], components, title=title, language=language, height=OF_ATTENTION * len(components)
        )

    def _data(self, panels: Sequence[AttentionPanel], kind: Kind) -> bytes:
        first = (self.layer, self.head) if kind == self.kind else (0, 0)
        return bytes(
            attention_data(panels, view=self.view, kind=kind, layer=first[0], head=first[1], words=self._words)
        )

    def _check(self, kind: str, layer: int, head: int) -> None:
        if kind not in self.panels:
            raise ValueError(f"There is no {kind} attention here, but {', '.join(self.panels)}.")
        layers, heads = self.panels[kind].weights.shape[:2]
        for name, given, count in (("layer", layer, layers), ("head", head, heads)):
            if not 0 <= given < count:
                raise ValueError(f"{kind} attention has {count} {name}s, 0 to {count - 1}; there is no {name}={given}.")

    def svg(
        self, *, dark: bool = False, kind: Kind | None = None, layer: int | None = None, head: int | None = None
    ) -> str:
        """One head as a picture: its lines, or its map; without arguments the one that the figure starts with."""
        panel = kind or self.kind
        at = (self.layer if layer is None else layer, self.head if head is None else head)
        self._check(panel, *at)
        heads = [Head(self.panels[panel], *at)]
        return str(attention_svg(heads, self._words, "dark" if dark else "light", view=self.view))

    @property
    def start(self) -> dict[str, Any]:
        return {"kind": self.kind, "layer": self.layer, "head": self.head, "query": None, "key": None}


class MatrixFigure(Figure):
    """Matrices beside each other; the widget's `selection` has `matrix`, `row` and `column`."""

    def __init__(self, matrices: Sequence[Matrix], *, title: str, language: str):
        self.matrices = tuple(matrices)
        self._words = matrix_words(language)
        component = Component("matrix", MATRIX, bytes(matrix_data(self.matrices, self._words)))
        name = self.matrices[0].title or self._words["figure"]
        super().__init__(
            name, [component], title=title, language=language, height=float(matrix_height(self.matrices, WIDE)) + 60
        )

    def svg(self, *, dark: bool = False) -> str:
        """The matrices as the figure shows them."""
        return str(matrix_svg(self.matrices, self._words, "dark" if dark else "light"))


def _png(svg: str, scale: float) -> bytes:
    try:
        import vl_convert  # 30 MB that only pictures need
    except ImportError as error:
        raise ImportError("PNG needs a package more: pip install 'glassformer[png]'") from error
    return bytes(vl_convert.svg_to_png(svg, scale=scale))
