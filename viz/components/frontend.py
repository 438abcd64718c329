"""Frontend that every browser component needs: HTML, style and JavaScript."""

from __future__ import annotations

from typing import NamedTuple

from ..palette import style_sheet
from .js_bundle import FOLDER, bundle


class Frontend(NamedTuple):
    """Arguments of `st.components.v2.component`."""

    html: str
    css: str
    js: str


def figure_frontend(name: str, root: str) -> Frontend:
    """The figure `name` in an element of the class `root`, with the style that all figures start from and end with."""
    before, after = (style(f"common/{shared}").replace("gf-root", root) for shared in ("figure", "forced_colors"))
    return frontend(name, root, f"{before}\n{style(_files(name))}\n{after}")


def frontend(name: str, root: str, css: str) -> Frontend:
    """An element of the class `root`, in which the JavaScript of the component `name` draws."""
    return Frontend(f'<div class="{root}"></div>', css, bundle(f"{_files(name)}.js"))


def _files(name: str) -> str:
    """Where the files of a component begin: in a folder of its own, or in the folder that it names."""
    return name if "/" in name else f"{name}/{name}"


def style(name: str) -> str:
    return style_sheet(FOLDER / f"{name}.css")
