"""A file of figures inside a notebook's page.

The file stands in a frame of its own, so that neither its style nor its scripts meet those of the notebook. The frame
is not sandboxed: it would not see whether the notebook is dark, and could not take the height that it needs. All that
is in it is this package's code or escaped text.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache

from ..components.js_bundle import bundle

MOST = 4_950_000  # characters that a frame and its picture may have together


def framed(html: str, title: str, height: int, picture: str = "", text: str = "") -> str:
    """An iframe that holds the file; it needs no script of the page around it. `height` in px, until it is drawn.

    `picture` is the figure as SVG, and `text` the figure in words: they are left where a code host or a mail takes
    iframes out. The frame covers the picture, and takes it away where it sees the page around it.
    """
    page = html.replace("</head>", f"<script>(() => {{\n{script('frame.js')}}})();</script></head>", 1)
    frame = iframe(page, title, height)
    source = b64encode(picture.encode()).decode()
    if not picture or len(frame) + len(source) > MOST:
        return frame
    still = f'<img alt="{_value(text)}" src="data:image/svg+xml;base64,{source}"'
    return (
        '<div style="display:grid;grid-template-columns:minmax(0,1fr)">'
        f'{still} style="grid-area:1/1;max-width:100%;max-height:{height}px">{frame}</div>'
    )


def iframe(page: str, title: str, height: int) -> str:
    """An iframe that holds a page."""
    return (
        f'<iframe title="{_value(title)}" srcdoc="{_value(page)}" '
        f'style="grid-area:1/1;position:relative;display:block;width:100%;height:{height}px;border:0"></iframe>'
    )


def _value(text: str) -> str:
    """A text as the value of an attribute, in one line: Markdown ends its piece of HTML at an empty one."""
    for sign in '&"\r\n':
        text = text.replace(sign, f"&#{ord(sign)};")
    return text


@cache
def script(name: str) -> str:
    """A file of this package's JavaScript with all that it imports."""
    return str(bundle(f"notebook/{name}"))
