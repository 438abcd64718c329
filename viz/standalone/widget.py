"""A figure as a widget of anywidget, which tells Python what is locked in it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from ..components.frontend import style
from .document import DEFAULT_EXPORT, Component
from .frame import script

_LIGHT = re.compile(r"^:root \{([^}]*)\}", re.MULTILINE)
_DARK = re.compile(r"prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}")


def widget(components: Sequence[Component], start: dict[str, Any] | None) -> Any:
    """An `anywidget.AnyWidget` whose trait `selection` is `start` until something is locked in one of the figures."""
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise ImportError("A widget needs a package more: pip install 'glassformer[widget]'") from error

    class FigureWidget(anywidget.AnyWidget):
        _esm = module(components)
        names = traitlets.List(traitlets.Unicode()).tag(sync=True)
        data = traitlets.List(traitlets.Bytes()).tag(sync=True)
        selection = traitlets.Dict(allow_none=True).tag(sync=True)

    return FigureWidget(
        names=[component.name for component in components],
        data=[component.data for component in components],
        selection=start,
    )


def module(components: Sequence[Component]) -> str:
    """The JavaScript module of a widget that draws these components."""
    parts = []
    for name, frontend in {component.name: component.frontend for component in components}.items():
        mount = f"(() => {{\n{DEFAULT_EXPORT.sub('return ', frontend.js)}\n}})()"
        look = f"html: {json.dumps(frontend.html)}, css: {json.dumps(frontend.css)}"
        parts.append(f"{json.dumps(name)}: {{ {look}, mount: {mount} }}")
    return "\n".join(
        [
            f"const COMPONENTS = {{ {', '.join(parts)} }};",
            f"const THEME = {json.dumps(_theme())};",
            script("widget.js"),
        ]
    )


def _theme() -> str:
    """The colours and fonts of a saved file, for the root of a figure."""
    text = style("standalone/standalone")
    light, dark = _LIGHT.search(text), _DARK.search(text)
    assert light, "the style of a saved file begins with light colours"
    assert dark, "the style of a saved file has dark colours"
    look = "display: block; font: 16px/1.55 var(--st-font); color: var(--st-text-color)"
    return f":host {{{light[1]} {look}; color-scheme: light; }} :host([data-dark]) {{{dark[1]} color-scheme: dark; }}"
