"""One HTML file from figures and texts. It holds all that it needs, and asks no other host for anything."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from viz.components.bundle import Frontend, style
from viz.components.linker import FOLDER
from viz.html.style import style as table_style
from viz.templates import render
from viz.version import VERSION

TEMPLATE = "viz/standalone/document.html"
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)


@dataclass(frozen=True)
class Component:
    """A figure that our JavaScript draws: `data` is what its component gets in the app."""

    name: str  # of the component, such as "attention"
    frontend: Frontend
    data: bytes | Mapping[str, Any]


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite chart, as `viz.vega.vega_spec` gives it."""

    spec: Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """HTML of `viz.html`, whose values are escaped already."""

    html: str


@dataclass(frozen=True)
class Text:
    """A paragraph, as text; `look` is "title", "heading", "caption" or "" for running text."""

    text: str
    look: str = ""


Part = Component | Chart | Table | Text


@dataclass(frozen=True)
class Source:
    """Where a file comes from, for its last line. Texts are in the reader's language; an empty one is left out."""

    model: str = ""
    licence: str = ""
    link: str = ""  # the view in the app
    link_text: str = ""


def document(title: str, parts: Sequence[Part], source: Source, language: str = "en") -> str:
    """The HTML file. `language` is an HTML language tag."""
    components = {part.name: part.frontend for part in parts if isinstance(part, Component)}
    scripts = [_module(name, frontend.js) for name, frontend in components.items()]
    charts = [part for part in parts if isinstance(part, Chart)]
    return render(
        TEMPLATE,
        "document",
        title=title,
        language=language,
        style=style("standalone/standalone") + table_style(),
        parts=[_drawn(part) for part in parts],
        components={name: {"html": frontend.html, "css": frontend.css} for name, frontend in components.items()},
        scripts=[_embedded(script) for script in (*([vega()] if charts else []), *scripts)],
        start=(FOLDER / "standalone/standalone.js").read_text(encoding="utf-8"),
        source=source,
        version=VERSION,
    )


def _drawn(part: Part) -> dict[str, str]:
    match part:
        case Component(name, _, bytes() as data):
            return {"kind": "component", "name": name, "packed": base64.b64encode(data).decode()}
        case Component(name, _, data):
            return {"kind": "component", "name": name, "json": _json(data)}
        case Chart(spec):
            return {"kind": "chart", "json": _json(spec)}
        case Table(html):
            return {"kind": "table", "html": html}
        case Text(text, look):
            return {"kind": look or "text", "text": text}


def _json(data: object) -> str:
    """JSON that may stand in a script element: `<` is spelled so that no text can end the element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _module(name: str, js: str) -> str:
    """A component's module, which hands over what it would export."""
    return _DEFAULT.sub(f"window.gfComponents[{json.dumps(name)}] = ", js)


def _embedded(script: str) -> str:
    """A script without what would end the element around it; in a string, the backslash changes nothing."""
    return script.replace("</script", "<\\/script")


@cache
def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script of 900 kB; made once, which takes some seconds."""
    import vl_convert  # 30 MB that only a file with charts needs

    return vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub asks for a snippet
