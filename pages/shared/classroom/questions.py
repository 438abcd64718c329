"""A question to the class, in the language of whoever reads it.

A teacher's own question stays as it was typed. One of the quiz is kept by its name with its values (`posed`): each
browser gets it in its own language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pages.shared.session import view
from pages.shared.text.words import all_texts, words

Json = dict[str, Any]
_HEAD = re.compile(r"(encoder|decoder|cross)/(\d+)/(\d+)")  # an answer that names a head


def posed(question: str, kind: str, values: Mapping[str, object], link: str) -> Json:
    """Pack a question of the quiz for the class; `link` opens it. Raises TypeError for values that JSON cannot hold."""
    return {"question": question, "kind": kind, "values": dict(values), "view": link}


def in_words(task: Json, answers: Iterable[str] = ()) -> Json:
    """A question with its options; `spelled` says what those of the `answers` that need it are called."""
    told = {key: value for key, value in task.items() if key != "posed"}
    if not (kept := task["posed"]):
        return told | {"view": "", "spelled": {}}
    name, known = kept["question"], all_texts(view.language())
    options = [
        [option, words(f"quiz_{name}.option_{option}", **kept["values"])]
        if f"quiz_{name}.option_{option}" in known
        else [option, text]
        for option, text in task["options"]
    ]
    if f"quiz_{name}.question" in known:  # one that is gone with an update stays as it was put
        told["question"] = words(f"quiz_{name}.question", **kept["values"])
    spelled = {text: _head(text) for text in answers} if kept["kind"] == "head" else {}
    return told | {"options": options, "view": kept["view"], "spelled": spelled}


def said(task: Json, answer: str | None) -> str:
    """A question, or an answer to it, as it reads."""
    told = in_words(task, [] if answer is None else [answer])
    if answer is None:
        return str(told["question"])
    return str(dict(told["options"]).get(answer) or told["spelled"].get(answer, answer))


def _head(answer: str) -> str:
    found = _HEAD.fullmatch(answer)
    if found is None:
        return answer
    return words("quiz_figure.place", kind=words(f"quiz_figure.kind_{found[1]}"), layer=found[2], head=found[3])
