"""A question to the class, in the language of whoever reads it.

A teacher's own question stays as it was typed. One of the quiz, or a prediction, is kept by its name with its values
(`posed`): each browser gets it in its own language, and of a prediction that is open nothing that is measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pages.shared.classroom import predictions
from pages.shared.session import view
from pages.shared.text.words import all_texts, words

Json = dict[str, Any]
_HEAD = re.compile(r"(encoder|decoder|cross)/(\d+)/(\d+)")  # an answer that names a head


def posed(question: str, kind: str, values: Mapping[str, object], link: str) -> Json:
    """Pack a question of the quiz for the class; `link` opens it. Raises TypeError for values that JSON cannot hold."""
    return {"question": question, "kind": kind, "values": dict(values), "view": link}


def in_words(task: Json, answers: Iterable[str] = ()) -> Json:
    """A question with its options; `names` says what those of the `answers` that need it are called."""
    result = {key: value for key, value in task.items() if key != "posed"}
    if not (content := task["posed"]):
        return result | {"view": "", "spelled": {}}
    if "look" in content:
        spelled = {text: predictions.said(content, text) for text in answers}
        return result | {"view": "", "spelled": spelled} | predictions.in_words(content, task["open"])
    name, texts = content["question"], all_texts(view.language())
    options = [
        [option, words(f"quiz_{name}.option_{option}", **content["values"])]
        if f"quiz_{name}.option_{option}" in texts
        else [option, text]
        for option, text in task["options"]
    ]
    if f"quiz_{name}.question" in texts:  # one that is gone with an update stays as it was put
        result["question"] = words(f"quiz_{name}.question", **content["values"])
    names = {text: _head(text) for text in answers} if content["kind"] == "head" else {}
    return result | {"options": options, "view": content["view"], "spelled": names}


def said(task: Json, answer: str | None) -> str:
    """A question, or an answer to it, as it reads."""
    question = in_words(task, [] if answer is None else [answer])
    if answer is None:
        return str(question["question"])
    return str(dict(question["options"]).get(answer) or question["spelled"].get(answer, answer))


def _head(answer: str) -> str:
    match = _HEAD.fullmatch(answer)
    if match is None:
        return answer
    return words("quiz_figure.place", kind=words(f"quiz_figure.kind_{match[1]}"), layer=match[2], head=match[3])
