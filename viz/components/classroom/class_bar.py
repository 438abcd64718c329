"""The line above every page of somebody in a class, as data for the component in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..frontend import frontend, style


def bar_data(key: str, *, teacher: bool, base: str, language: str, words: Mapping[str, str]) -> str:
    """The component's `data`: the key by which it asks the server, and the path `base` of the app's addresses."""
    content = {"key": key, "teacher": teacher, "base": base, "language": language}
    return json.dumps(content | {"words": dict(words)}, ensure_ascii=False)


FRONTEND = frontend("classroom/class_bar", "gf-class-bar", style("classroom/class_bar"))
