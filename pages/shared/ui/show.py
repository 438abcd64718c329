"""Content of a page: a figure, a text, a formula or a table, drawn and kept for the files that hold the page."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, Literal

import streamlit as st

from pages.shared.classroom import my_class
from pages.shared.load.component_code import component
from pages.shared.models import spoken
from pages.shared.session import widgets
from pages.shared.text.formulas import formulas
from pages.shared.text.formulas import latex as spelled
from pages.shared.text.words import words
from pages.shared.ui import components, marked_terms, reserved_space
from pages.shared.ui.downloads import drawn, export
from pages.shared.ui.downloads.origin import Origin
from viz.components.frontend import Frontend
from viz.components.matrix.height import SLIM, WIDE
from viz.figures.chart import Chart
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure
from viz.standalone.document import Component, Formula, Part, Plotly, Table, Text, VegaLite
from viz.templates import render
from viz.vega import for_streamlit

_MARKUP = re.compile(r"\\([!-/:-@\[-`{-~])|(\*\*|`|\$)")
PICTURE = 640  # px, the width of a chart in a picture, without its axis
Heard = Callable[[Any], None]
Width = Literal["stretch", "content"]


def figure(
    name: str,
    figure: Figure,
    *,
    files: str | None = None,
    end: str | None = None,
    calls: Mapping[str, Heard] | None = None,
    share: float = 1.0,
    width: Width = "stretch",
    measured: Origin = export.NOTHING,
) -> None:
    """Draw a figure, keep it for the files that hold the page, and offer its own; `name` is a key of the page.

    files   the name of its own files; left out, a chart has those of its `name`, and others have none
    end     of the keys of these files, as in `export.files`
    calls   what to call with the value that the component sends, by the name of its state or trigger
    share   what matrices have of a card's width on a wide screen
    width   of a chart: "content" keeps its own size, as circles need it
    measured  over how many `sentences` and with which `seed` its numbers were, for its files
    """
    is_chart = isinstance(figure, Chart)
    if figure.has_picture and my_class.sees_pictures():
        picture(name, figure)
        return
    with _place(name, figure, share), nullcontext() if figure.has_picture else still(name, figure.name):
        parts = figure.parts()
        for part in parts:
            _draw(name, part, calls or {}, width)
        drawn.add(lambda: parts)
        if is_chart:
            export.files(files or name, figure, end, measured)
    if files and not is_chart:
        export.files(files, figure, end, measured)


def picture(name: str, figure: Figure) -> None:
    """Draw a figure as a picture that nothing changes, on paper of its own in a dark page."""
    svg = figure.svg_of_width(PICTURE) if isinstance(figure, Chart) else figure.svg()
    data = base64.b64encode(svg.encode()).decode()
    with st.container(key=f"picture_{name}"):
        st.html(render(components.TEMPLATE, "picture", source=data, name=figure.name))
    drawn.add(figure.parts)


@contextmanager
def still(name: str, title: str) -> Iterator[None]:
    """A figure that only a browser can draw: who sees pictures cannot touch it.

    `inert` takes it from the mouse, the keyboard and screen readers, which are told its title instead.
    """
    if not my_class.sees_pictures():
        yield
        return
    with st.container(key=f"picture_{name}"):
        with st.container(key=f"still_{name}"):
            yield
            components.make_inert(f"still_{name}")
        st.html(render(components.TEMPLATE, "named", name=title))


@contextmanager
def _place(name: str, figure: Figure, share: float) -> Iterator[None]:
    """The space that is kept for it until it is drawn."""
    if isinstance(figure, Chart):
        with reserved_space.reserve(name, figure.height), st.container(key=name, gap="small"):
            yield
    elif isinstance(figure, MatrixFigure):
        wide, slim = (figure.height_at(width) for width in (round(share * WIDE), SLIM))
        with reserved_space.reserve(f"{name}_room", wide, slim, marks=True):
            yield
    else:
        yield


def _draw(name: str, part: Part, handlers: Mapping[str, Heard], width: Width) -> None:
    match part:
        case Component(kind, frontend, data):
            calls = {f"on_{event}_change": widgets.heard(name, event, call) for event, call in handlers.items()}
            _component(kind, frontend)(data=data, key=name, **calls)
        case VegaLite(spec):
            # one in its own width moves sideways where the page is narrower (`frame.css`)
            with st.container(key=f"wide_{name}") if width == "content" else nullcontext():
                st.vega_lite_chart(for_streamlit(spec), width=width, key=f"chart_{name}")
        case Plotly(drawing, config):
            st.plotly_chart(drawing, key=name, config=dict(config))
        case Table(html):
            st.html(html)


@cache
def _component(name: str, frontend: Frontend) -> Callable[..., Any]:
    """The browser's component, registered once."""
    return component(name, frontend)


def keep(make: drawn.Make) -> None:
    """Keep for the files what the page draws in a way of its own; `make` gives its parts when a file is made."""
    drawn.add(make)


def terms(text: str, name: str, look: str = "") -> None:
    """A text in which terms of the glossary are marked; `look` as of a `Text` in a file."""
    marked_terms.text(text, name)
    drawn.add(lambda: [Text(marked_terms.without_marks(text), look)])


def caption(text: str) -> None:
    """A small text, with Markdown."""
    st.caption(text)
    drawn.add(lambda: [Text(plain(text), "caption")])


def text(content: str) -> None:
    """A text as it is."""
    st.text(content)
    drawn.add(lambda: [Text(content)])


def output(content: str) -> None:
    """Show the output of a model, or that it writes nothing."""
    text(content if content.strip() else words("frame.nothing"))


def header(title: str) -> None:
    """The heading of a part of the page."""
    st.header(title, anchor=False)
    drawn.heading(plain(title))


def subheader(title: str) -> None:
    """A heading within it."""
    st.subheader(title, anchor=False)
    drawn.add(lambda: [Text(plain(title), "caption")])


def table(html: str) -> None:
    """A table of `viz.html`, whose values are escaped."""
    markup = spoken.mark(html)
    st.html(markup)
    drawn.add(lambda: [Table(markup)])


def latex(formula: str) -> None:
    """A formula."""
    st.latex(formula)
    drawn.add(lambda: [Formula(formula)])


def formula(name: str, **values: object) -> None:
    """A formula of `formulas.toml`, its placeholders filled, and under it what its symbols mean."""
    latex_text = spelled(name, **values)
    symbols = tuple((symbol, words(key)) for symbol, key in formulas()[name].symbols.items())
    st.latex(latex_text)
    st.caption(" · ".join(f"${symbol}$ {text}" for symbol, text in symbols))
    drawn.add(lambda: [Formula(latex_text, tuple((symbol, plain(text)) for symbol, text in symbols))])


def plain(markdown: str) -> str:
    """Our Markdown without its marks: what was escaped in it stands as it was typed."""
    return _MARKUP.sub(lambda match: match[1] or "", markdown)
