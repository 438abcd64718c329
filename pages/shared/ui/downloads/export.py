"""Files of a figure: itself as HTML, its picture as SVG or PNG, its film as GIF, and its numbers as CSV."""

from functools import partial

import streamlit as st

from pages.shared.classroom import my_class
from pages.shared.text.words import words
from pages.shared.ui.downloads import drawn, file_menu, film_modules, origin
from pages.shared.ui.downloads.file_menu import File, Film
from pages.shared.ui.downloads.origin import Origin
from viz.figures.figure import Figure
from viz.spreadsheet import ENCODING

SCALES = (1, 2, 3)  # of a picture in pixels
NOTHING: Origin = {}


def files(name: str, figure: Figure, end: str | None = None, measured: Origin = NOTHING) -> None:
    """The files of the figure just drawn, made when they are asked for; `name` names them and, by default, the links.

    Each file says where its numbers are from; `measured` is that of `origin.of_view`.

    The HTML file holds what was drawn since the figure before; picture and numbers are those of `figure`. A figure
    without a picture, whose own button saves one, has the other two. Who sees pictures gets none: figures in the HTML
    file can be touched.
    """
    if my_class.sees_pictures():
        return
    end = f"_{name}" if end is None else end
    about = origin.of_view(measured)
    file = f"{origin.file_beginning(about['model'])}-{name}"
    svg = File(f"svg{end}", words("take.svg"), f"{file}.svg", "image/svg+xml", partial(_svg, figure, about))
    pictures = [
        File(f"png{scale}{end}", f"{scale}×", f"{file}-{scale}x.png", "image/png", partial(_png, figure, about, scale))
        for scale in SCALES
    ]
    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key=f"export{end}"):
        file_menu.menu(
            words("take.menu"),
            [
                File(f"html{end}", words("take.html"), f"{file}.html", "text/html", drawn.figure()),
                *([svg] if figure.has_picture else []),
                File(f"csv{end}", words("take.csv"), f"{file}.csv", "text/csv", partial(_csv, figure, about)),
            ],
            pictures if figure.has_picture else [],
            _film(figure, file, end),
        )


def _film(figure: Figure, file: str, end: str) -> Film | None:
    """The film of a figure that plays, made by the browser."""
    if not figure.film_module:
        return None
    message = File(f"film{end}", words("take.film"), f"{file}.gif", "application/octet-stream", figure.film_message)
    return Film(message, film_modules.address(figure.film_module))


def _svg(figure: Figure, about: Origin) -> bytes:
    return origin.in_svg(figure.svg(), about).encode()


def _png(figure: Figure, about: Origin, scale: float) -> bytes:
    return origin.in_png(figure.png(scale), about)


def _csv(figure: Figure, about: Origin) -> bytes:
    return figure.csv(about).encode(ENCODING)
