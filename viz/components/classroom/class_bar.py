"""The line above every page of somebody in a class, as data for the component in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..frontend import frontend, style


def bar_data(key: str, *, teacher: bool, base: str, language: str, live: str, words: Mapping[str, str]) -> str:
    """The component's `data`: the key by which it asks the server, and the path `base` of the app's addresses.

    live   the address of a live page, which students may use in place of the app
    """
    content = {"key": key, "teacher": teacher, "base": base, "language": language, "live": live}
    return json.dumps(content | {"words": dict(words)}, ensure_ascii=False)


_STYLE = style("classroom/prediction") + style("classroom/class_bar")
FRONTEND = frontend("classroom/class_bar_in_app", "gf-class-bar", _STYLE)
