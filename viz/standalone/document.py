"""One HTML file from figures and texts. It holds all that it needs, and asks no other host for anything."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup  # jinja2's own

from ..components.frontend import Frontend, style
from ..components.js_bundle import bundle
from ..converter import process, vega_script
from ..html.style import style as table_style
from ..languages import languages
from ..templates import render
from ..version import VERSION

TEMPLATE = "standalone/document.html"
DEFAULT_EXPORT = re.compile(r"^export default ", re.MULTILINE)


@dataclass(frozen=True)
class Component:
    """A figure that our JavaScript draws: `data` is what its component gets in the app."""

    name: str  # of the component, such as "attention"
    frontend: Frontend
    data: bytes | str | Mapping[str, Any]


@dataclass(frozen=True)
class VegaLite:
    """A chart, as `viz.vega.vega_spec` gives it."""

    spec: Mapping[str, Any]


@dataclass(frozen=True)
class Plotly:
    """A figure in three dimensions, as plotly's JSON, and plotly's settings for it: its buttons and their labels."""

    figure: Mapping[str, Any]
    config: Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """HTML of `viz.html`, whose values are escaped already."""

    html: str


@dataclass(frozen=True)
class Text:
    """A paragraph, as text; `look` is "title", "heading", "caption" or "" for running text."""

    text: str
    look: str = ""


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, drawn as MathML, and what its symbols mean: LaTeX and text of each."""

    latex: str
    symbols: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Picture:
    """An SVG of its own, for a figure without a part of its own; an image, so that no script in it runs."""

    svg: str


Part = Component | VegaLite | Plotly | Table | Text | Formula | Picture


@dataclass(frozen=True)
class Source:
    """Where a file comes from, for its last line. Texts are in the reader's language; an empty one is left out."""

    model: str = ""
    licence: str = ""
    link: str = ""  # the view in the app
    link_text: str = ""


@dataclass(frozen=True)
class Slide:
    """One slide of a deck: a view with its heading, what is said about it, and where it comes from."""

    title: str
    parts: Sequence[Part]
    says: str = ""
    source: Source = Source()


def document(title: str, parts: Sequence[Part], source: Source, language: str = "en") -> str:
    """The HTML file. `language` is an HTML language tag."""
    return render(TEMPLATE, "document", parts=_all_drawn(parts), source=source, **_frame(title, parts, language))


def deck(title: str, slides: Sequence[Slide], words: Mapping[str, str], language: str = "en") -> str:
    """An HTML file with a slide for each view; `words` are `back`, `next` and `slide`, with {number} and {count}."""
    parts = [part for slide in slides for part in slide.parts]
    pages = [
        {"title": slide.title, "says": slide.says, "source": slide.source, "parts": _all_drawn(slide.parts)}
        for slide in slides
    ]
    return render(TEMPLATE, "deck", slides=pages, words=words, **_frame(title, parts, language))


def _frame(title: str, parts: Sequence[Part], language: str) -> dict[str, Any]:
    """Frame of the parts: style, and the scripts that they need, each once."""
    components = {part.name: part.frontend for part in parts if isinstance(part, Component)}
    scripts = [component_module(name, frontend.js) for name, frontend in components.items()]
    libraries = [library() for kind, library in ((VegaLite, vega), (Plotly, plotly)) if _has(parts, kind)]
    return {
        "title": title,
        "language": {"tag": language, "direction": _direction(language)},
        "style": Markup(style("standalone/standalone") + (table_style() if _has(parts, Table) else "")),
        "components": {
            name: {"html": Markup(frontend.html), "css": Markup(frontend.css)} for name, frontend in components.items()
        },
        "scripts": [_packed(script) for script in (*libraries, *scripts)],
        "start": Markup(bundle("standalone/standalone.js")),
        "version": VERSION,
    }


def _direction(tag: str) -> str:
    return next((each.direction for each in languages().values() if each.tag == tag), "ltr")


def _has(parts: Sequence[Part], kind: type[Part]) -> bool:
    return any(isinstance(part, kind) for part in parts)


def _all_drawn(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [_drawn(part) for part in parts]


def _drawn(part: Part) -> dict[str, Any]:
    match part:
        case Component(name, _, bytes() as data):
            return {"kind": "component", "name": name, "packed": spelled(data)}
        case Component(name, _, data):
            return {"kind": "component", "name": name, "json": json_text(data)}
        case VegaLite(spec):
            return {"kind": "chart", "json": json_text(spec)}
        case Plotly(figure, config):
            return {"kind": "plot", "json": json_text({**figure, "config": config})}
        case Table(html):
            return {"kind": "table", "html": Markup(html)}
        case Formula(latex, symbols):
            meanings = [(mathml(symbol), text) for symbol, text in symbols]
            return {"kind": "formula", "mathml": mathml(latex, display=True), "symbols": meanings}
        case Picture(svg):
            return {"kind": "picture", "source": base64.b64encode(svg.encode()).decode()}
        case Text(text, look):
            return {"kind": look or "text", "text": text}


# what latex2mathml does not know, and the same in other words
_UNKNOWN = (
    (r"(?:\\[bB]ig+[lr])?\\[lr]Vert\b", r"\\|"),
    (r"\\arg\b", r"\\operatorname{arg}"),
    (r"\{aligned\}", "{align*}"),
    (r"(?<=begin)\{gathered\}", "{array}{c}"),
    (r"(?<=end)\{gathered\}", "{array}"),
    (r"\\\\\s*\[[^\]]*\]", r"\\\\"),  # the height of a line
)


@cache
def mathml(latex: str, display: bool = False) -> Markup:
    """LaTeX as MathML, which every browser draws by itself; KaTeX, which the app has, would be 270 kB and 20 fonts."""
    from latex2mathml.converter import convert_to_element  # only a file with formulas needs it

    for unknown, replacement in _UNKNOWN:
        latex = re.sub(unknown, replacement, latex)
    math = convert_to_element(latex, display="block" if display else "inline")
    # its own way to text would leave a `<` in a text as markup, and it knows links
    for element in math.iter():
        element.text = unescape(element.text or "")
        element.attrib.pop("href", None)
    return Markup(ElementTree.tostring(math, encoding="unicode"))


def json_text(data: object) -> Markup:
    """JSON that may stand in a script element: `<` is spelled so that no text can end the element."""
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def component_module(name: str, js: str) -> str:
    """A component's module, which hands over what it would export."""
    return DEFAULT_EXPORT.sub(f"window.gfComponents[{json.dumps(name)}] = ", js)


@cache
def _packed(script: str) -> Markup:
    """A script, deflated: a third of its size in the file."""
    return spelled(zlib.compress(script.encode(), 9))


def spelled(data: bytes) -> Markup:
    """Bytes as text, five letters for four; the comma stands for `<`, so that no text can end the element around it."""
    return Markup(base64.b85encode(data).decode().replace("<", ","))


@cache
def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script of 900 kB; made once, which takes some seconds."""
    script: str = process.call(vega_script)
    return script


@cache
def plotly() -> str:
    """Plotly's script of 4.7 MB, 1.7 MB in a file; its licence (MIT) stands at its beginning."""
    from plotly.offline import get_plotlyjs  # only a file with such a figure needs it

    return get_plotlyjs()
