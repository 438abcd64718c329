"""Components that JavaScript draws, whose code a browser fetches once.

Symptom: a run of /intervene sent 210 kB, most of it for the third or the hundredth time. Cause: Streamlit sends the
code of a component with each of its elements, in every run. Therefore an element has two lines that import the code
from a route (`component_route`), which packs it, at an address that changes with it, so that browsers keep it.
Test: `test_the_code_of_a_figure_comes_once` in `tests/pages/shared/test_browser_fragments.py`.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared.session.base_path import base
from viz.components.frontend import Frontend

PATH = "/code"
_codes: dict[str, str] = {}  # by the name of their file


def component(name: str, frontend: Frontend, *, isolate_styles: bool = True) -> Callable[..., Any]:
    """Register a component of Streamlit, `st.components.v2.component`; give the command that draws it."""
    version = hashlib.blake2b(frontend.js.encode(), digest_size=6).hexdigest()
    file = f"{name}.{version}.js"
    _codes[file] = frontend.js
    # the second address is another one to the browser: it asks once more where the connection failed
    js = (
        f"const file = location.origin + {json.dumps(f'{base()}{PATH}/{file}')};\n"
        "const { default: draw } = await import(file).catch(() => import(`${file}?again`));\n"
        "export default draw;\n"
    )
    return st.components.v2.component(
        name, html=frontend.html, css=frontend.css or None, js=js, isolate_styles=isolate_styles
    )


def code(file: str) -> str | None:
    """The code that stands in a file, if a component of this process has it."""
    return _codes.get(file)
