"""The line above every page of somebody in a class, as data for the component in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..frontend import check_words, frontend, style

# What the component says, in the user's language. Placeholders stand in braces.
WORDS = (
    "here",  # {count}
    "follow",
    "follow_about",
    "following",
    "following_about",
    "show",
    "shown",
    "share",
    "share_about",
    "elsewhere",
    "elsewhere_about",
    "board",
    "mine",  # {answer}
    "answer",
    "send",
    "quiz",
    "to_answers",
    "over",
    "ended",
    "stays",
    "stays_teacher",
    "to_class",
    "away",
    "waiting",
)


def bar_data(key: str, *, teacher: bool, base: str, language: str, words: Mapping[str, str]) -> str:
    """The component's `data`: the key by which it asks the server, and the path `base` of the app's addresses."""
    check_words("class bar", WORDS, words)
    content = {"key": key, "teacher": teacher, "base": base, "language": language}
    return json.dumps(content | {"words": {name: words[name] for name in WORDS}}, ensure_ascii=False)


FRONTEND = frontend("classroom/class_bar", "gf-class-bar", style("classroom/class_bar"))
