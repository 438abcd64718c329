"""The JavaScript and CSS files of a browser component as one module, and a check of its words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from viz.palette import palette

FOLDER = Path(__file__).parents[1] / "frontend"


class Frontend(NamedTuple):
    """What `st.components.v2.component` asks for."""

    html: str
    css: str
    js: str


def frontend(root: str, style: str, scripts: Sequence[str], kind: str = "Figure") -> Frontend:
    """A figure of the class `kind` in an element of the class `root`, with the style that all figures start from."""
    head = _file("common/figure.css").replace("gf-root", root)
    js = f'{script((*scripts[:1], "common/lifecycle", *scripts[1:]))}\nexport default mount(".{root}", {kind});\n'
    return Frontend(f'<div class="{root}"></div>', f"{head}\n{_file(f'{style}.css')}", js)


def script(names: Sequence[str]) -> str:
    """One module from several files: the component can load only one. Without an export."""
    colours = f"const PALETTE = {json.dumps(palette())};\n" if "common/scale" in names else ""
    js = colours + "\n".join(_file(f"{name}.js") for name in names)
    # The module travels with every new picture: comments and indentation stay at home.
    return re.sub(r"^\s*(//.*)?\n|^[ \t]+", "", js, flags=re.MULTILINE)


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def check_words(figure: str, needed: Sequence[str], words: Mapping[str, str]) -> None:
    """Raise ValueError if a word is missing."""
    missing = [name for name in needed if name not in words]
    if missing:
        raise ValueError(f"The {figure} figure lacks these words: {', '.join(missing)}.")
