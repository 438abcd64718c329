"""Files that every live page needs beside a model: the worker, the engine's WebAssembly, script, style, notice."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from markupsafe import Markup

from viz.components import architecture_blocks, attention, timeline
from viz.components.frontend import style as frontend_style
from viz.components.js_bundle import bundle
from viz.components.matrix import matrix_data
from viz.palette import style_sheet
from viz.standalone.document import component_module

ROOT = Path(__file__).parents[1]
FRONTEND = Path(__file__).parent / "frontend"
VENDOR = FRONTEND / "vendor"
FIGURES = {
    "attention": attention.FRONTEND,
    "matrix": matrix_data.FRONTEND,
    "timeline": timeline.FRONTEND,
    "architecture": architecture_blocks.FRONTEND,
}
_TERMS = ROOT / "pages/shared/server/frontend/terms.js"  # shows the definitions of terms
_SHARED = (
    "live_run/slider_and_curves",
    "live_run/live_run",
    "common/wide",
    "tables/outputs",
    "tables/influence",
    "tables/quiz",
    "tables/glossary",
    "classroom/prediction",
    "classroom/class_bar",
)


@cache
def worker() -> str:
    """The worker with all that it imports, as one script."""
    return bundle("live/frontend/worker.js", ROOT)


@cache
def page_script(entry: str = "page/page.js", figures: tuple[str, ...] = tuple(FIGURES)) -> str:
    """A page's script with all that it imports, and the figures, each in a scope of its own.

    It is no module: those wait until the whole page has been read, a single file of some megabytes.
    """
    modules = "".join(f"{{\n{component_module(name, FIGURES[name].js)}\n}}\n" for name in figures)
    page = bundle(f"live/frontend/{entry}", ROOT)
    terms = _TERMS.read_text(encoding="utf-8")
    return f'(() => {{\n"use strict";\nwindow.gfComponents = {{}};\n{modules}{page}}})();\n{terms}'


def markup(figures: Iterable[str]) -> dict[str, dict[str, Markup]]:
    """Style and HTML of each of these figures."""
    return {name: {"css": Markup(FIGURES[name].css), "html": Markup(FIGURES[name].html)} for name in figures}


@cache
def style() -> str:
    """The page's style, with that of the tables and lines that it shares with the app."""
    sheets = [style_sheet(FRONTEND / name) for name in ("page/page.css", "lessons/lessons.css")]
    return "".join([*sheets, *map(frontend_style, _SHARED)])


def wasm() -> bytes:
    """onnxruntime's WebAssembly, compressed."""
    return (VENDOR / "ort.wasm.gz").read_bytes()


def notice() -> str:
    """The licences of what travels along."""
    return (VENDOR / "NOTICE.txt").read_text(encoding="utf-8")


def hashed(stem: str, data: bytes, suffix: str) -> str:
    """A file name that changes with the content, so that a browser may keep the file for ever."""
    return f"{stem}.{hashlib.sha256(data).hexdigest()[:12]}{suffix}"
