"""A figure as one value: a page draws it, files hold it, a notebook displays it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from ..converter import process, svg_to_png
from ..spreadsheet import ENCODING, table_of
from ..standalone.document import Component, Part, Source, Text, document
from ..standalone.frame import framed

MOST_PICTURE = 1_000_000  # characters of the picture beside a figure in a notebook
FORMS = (".html", ".svg", ".png", ".csv")
Rows = Iterable[Mapping[str, object]]


class Figure(ABC):
    """Figure that a page shows and a notebook displays by itself.

    name       for screen readers, and of a file without a title
    title      above it in a file of its own
    language   an HTML language tag
    height     px that it will take, as far as that is known before it is drawn
    """

    name = "Figure"
    title = ""
    language = "en"
    height = 640.0
    has_picture = True  # False where only a browser can draw it
    film_module = ""  # of `components/film.py`: what makes a film of `film_message()` in a browser

    @abstractmethod
    def parts(self) -> Sequence[Part]:
        """Parts of an HTML file that hold the figure."""

    @abstractmethod
    def svg(self, *, dark: bool = False) -> str:
        """A picture without interaction."""

    @abstractmethod
    def rows(self) -> Rows:
        """Its numbers, a line each, for a table."""

    def film_message(self) -> bytes:
        """What the module of its film is given."""
        raise NotImplementedError

    def html(self) -> str:
        """One HTML file that works offline: pointing, locking, keyboard; light or dark as the reader's system is."""
        title = [Text(self.title, "title")] if self.title else []
        return document(self.title or self.name, [*title, *self.parts()], Source(), self.language)

    def png(self, scale: float = 2, **picture: Any) -> bytes:
        """The picture in pixels, `scale` for each unit of the SVG; further arguments are those of `svg`.

        Letters that no font of this machine has are left out.
        """
        return png(self.svg(**picture), scale)

    def csv(self, about: Mapping[str, object] | None = None) -> str:
        """Its numbers as a table for a spreadsheet, a line each, with columns for what `about` says of all of them."""
        return table_of(self.rows(), about or {})

    def save(self, path: str | PathLike[str], *, scale: float = 2, **picture: Any) -> Path:
        """Write a file; the end of its name chooses the form: .html, .svg, .png or .csv.

        `scale` is of PNG: pixels for each unit of the SVG. Further arguments are those of `svg`. PNG needs
        `pip install 'glassformer[png]'`. Raises ValueError for another ending.
        """
        file = Path(path)
        if file.suffix not in FORMS:
            raise ValueError(f"The name of the file ends in {', '.join(FORMS)}, not {file.suffix or 'nothing'}.")
        if file.suffix == ".png":
            file.write_bytes(self.png(scale, **picture))
        elif file.suffix == ".csv":
            file.write_text(self.csv(), encoding=ENCODING)
        else:
            file.write_text(self.html() if file.suffix == ".html" else self.svg(**picture), encoding="utf-8")
        return file

    def widget(self) -> Any:
        """The same figure as a widget, whose `selection` is what is locked in it.

        Needs `pip install 'glassformer[widget]'` and a notebook that supports anywidget: Jupyter, VS Code, Colab
        or marimo. Raises ValueError for a figure that our JavaScript does not draw.
        """
        from ..standalone.widget import widget

        if not self.components:
            raise ValueError("Attention and matrices have a widget; this figure is displayed as it is.")
        return widget(self.components, self.start)

    @property
    def components(self) -> tuple[Component, ...]:
        """Parts that our JavaScript draws."""
        return tuple(part for part in self.parts() if isinstance(part, Component))

    @property
    def start(self) -> dict[str, Any] | None:
        """The locked cell when the figure begins, as in the widget's `selection`; None if nothing is locked."""
        return None

    def text(self) -> str:
        """What it shows, in words."""
        return self.title or self.name

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The file in a frame, and for places that take frames out the picture and the words."""
        picture, words = self._still(), self.text()
        html = framed(self.html(), self.title or self.name, round(self.height), picture, words)
        return {"text/html": html, "text/plain": words} | ({"image/svg+xml": picture} if picture else {})

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()["text/html"]

    def _still(self) -> str:
        """The picture; empty where there is none, or it is large."""
        try:
            picture = self.svg() if self.has_picture else ""
        except ImportError:  # of the engine, which not every computer has
            return ""
        return picture if len(picture) <= MOST_PICTURE else ""

    def __repr__(self) -> str:
        return f"<glassformer figure: {self.title or self.name}>"


@dataclass(frozen=True, eq=False)
class Assembled(Figure):
    """A figure whose parts, picture and numbers come from functions; each is called when it is asked for."""

    of: Callable[[], Sequence[Part]]
    picture: Callable[[], str]
    table: Callable[[], Rows]

    def parts(self) -> Sequence[Part]:
        return self.of()

    def svg(self, *, dark: bool = False) -> str:
        return self.picture()

    def rows(self) -> Rows:
        return self.table()


@dataclass(frozen=True, eq=False)
class Numbers(Figure):
    """The numbers of tables and texts, which a page draws itself."""

    table: Sequence[Mapping[str, object]]
    has_picture = False

    def parts(self) -> Sequence[Part]:
        return ()

    def svg(self, *, dark: bool = False) -> str:
        raise NotImplementedError

    def rows(self) -> Rows:
        return self.table


def png(svg: str, scale: float) -> bytes:
    """An SVG in pixels, `scale` for each of its units."""
    try:
        pixels: bytes = process.call(svg_to_png, svg, scale)
    except ImportError as error:
        raise ImportError("PNG needs a package more: pip install 'glassformer[png]'") from error
    return pixels
