"""The line of a lesson above every page, as data for the component in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ..frontend import frontend, style


def playing_data(
    id_: str, title: str, parts: Sequence[Mapping[str, object]], *, base: str, words: Mapping[str, str]
) -> str:
    """The component's `data` for a lesson that is given: `parts` with view, minutes, says and notes."""
    return _data({"id": id_, "title": title, "parts": list(parts), "base": base}, words)


def editing_data(title: str, count: int, *, addable: bool, base: str, words: Mapping[str, str]) -> str:
    """The component's `data` for a lesson that is being made and has `count` views; `addable` is this page."""
    content = {"id": "draft", "editing": True, "title": title, "count": count, "addable": addable, "base": base}
    return _data(content, words)


def _data(content: Mapping[str, object], words: Mapping[str, str]) -> str:
    return json.dumps({**content, "words": dict(words)}, ensure_ascii=False)


FRONTEND = frontend("classroom/lesson_bar", "gf-lesson-bar", style("classroom/lesson_bar"))
