"""A file of figures inside a notebook's page.

The file stands in a frame of its own, so that neither its style nor its scripts meet those of the notebook. The frame
is not sandboxed: it would not see whether the notebook is dark, and could not take the height that it needs. All that
is in it is this package's code or escaped text.
"""

from __future__ import annotations

from functools import cache
from html import escape

from ..components.js_bundle import bundle


def framed(html: str, title: str, height: int) -> str:
    """An iframe that holds the file; it needs no script of the page around it. `height` in px, until it is drawn."""
    page = html.replace("</head>", f"<script>(() => {{\n{script('frame.js')}}})();</script></head>", 1)
    source = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe title="{escape(title)}" srcdoc="{source}" '
        f'style="display:block;width:100%;height:{height}px;border:0"></iframe>'
    )


@cache
def script(name: str) -> str:
    """A file of this package's JavaScript with all that it imports."""
    return str(bundle(f"notebook/{name}"))
