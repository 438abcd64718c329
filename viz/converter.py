"""What vl-convert does for files: a chart as SVG, an SVG in pixels, Vega's script.

Symptom: nobody of a class got an answer for six seconds when the first asked for a file, and for 0.3 s with each
picture. Cause: the library holds Python's lock all that time. Therefore a server lets another process convert: it
sets `process.call`, which gets a function of this module and its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any


def here(function: Callable[..., Any], *arguments: object) -> Any:
    """Call the function in this process."""
    return function(*arguments)


@dataclass
class Process:
    """The process that converts."""

    call: Callable[..., Any] = here


process = Process()


def chart_to_svg(spec: Mapping[str, object]) -> str:
    """A Vega-Lite chart as SVG; nothing is fetched for it."""
    import vl_convert  # 30 MB that only a download needs

    return vl_convert.vegalite_to_svg(dict(spec), allowed_base_urls=[])


def svg_to_png(svg: str, scale: float) -> bytes:
    """An SVG in pixels, `scale` for each of its units."""
    import vl_convert  # as above

    return bytes(vl_convert.svg_to_png(svg, scale=scale))


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script of 900 kB, which takes some seconds."""
    import vl_convert  # as above

    return vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub asks for a snippet
