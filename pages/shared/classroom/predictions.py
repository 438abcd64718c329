"""Predictions in words: a question with its options, what was measured, and what the answers of a class say.

`content` is a question as `model.predict.prediction.Prediction.content` gives it; a class keeps it with the `view` that
shows it, the model and the sentence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pages.shared.classroom import my_class
from pages.shared.session import language_choice, view
from pages.shared.text.words import all_texts, section, words
from viz.numbers import percent

Json = dict[str, Any]


def asks(content: Mapping[str, Any]) -> str:
    """The question."""
    return words(f"predict_{content['question']}.question", **_values(content))


def options(content: Mapping[str, Any]) -> dict[str, str]:
    """Its options with their texts; none of a slider."""
    name = content["question"]
    return {option: text or words(f"predict_{name}.option_{option}") for option, text in content["options"]}


def said(content: Mapping[str, Any], answer: str) -> str:
    """An answer, or the key, as it reads."""
    if content["look"] == "percent":
        return f"{float(answer):.0f}%"
    return options(content).get(answer, answer)


def why(content: Mapping[str, Any]) -> str:
    """What was measured, in a sentence or two."""
    name, key = content["question"], content["key"]
    has_own = f"predict_{name}.why_{key}" in all_texts(view.language())
    values = _values(content)
    return words(f"predict_{name}.why_{key}", **values) if has_own else words(f"predict_{name}.why", **values)


def misconception(name: str) -> str:
    """What a misconception is called."""
    return words(f"misconceptions.{name}")


def ask_class(content: Json) -> None:
    """Put the question to the class that this user teaches. Raises `InvalidInput`."""
    me = my_class.teacher()
    texts_of = list(options(content).items())
    with my_class.answering():
        my_class.classrooms().ask(me, "predict", asks(content), texts_of, name=name_of(content), posed=content)


def name_of(content: Mapping[str, Any]) -> str:
    """The name of a question with its model, sentence and place, the same for all who are asked it."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def in_words(content: Json, is_open: bool) -> Json:
    """What a browser shows of a question: before it is closed nothing of the key."""
    shown: Json = {"question": asks(content), "look": content["look"]}
    shown["options"] = [list(option) for option in options(content).items()]
    if content["look"] == "words":
        shown["row"] = {name: content["values"][name] for name in ("query", "kind")}
    if is_open:
        return shown
    measured = said(content, content["key"])
    shows = {answer: misconception(name) for answer, name in content["shows"].items()}
    return shown | {
        "key": content["key"], "measured": measured, "why": why(content), "shares": content["shares"], "shows": shows,
        "view": content["view"],
    }  # fmt: skip


def told(summary: Json | None) -> Json | None:
    """What all predictions of a class say, with the misconceptions by name."""
    if summary is None:
        return None
    found = [[misconception(name), *rest] for name, *rest in summary["findings"]]
    return summary | {"findings": found}


def sure(step: int) -> str:
    """A step of confidence, from 1 on."""
    return words(f"predict_sure.sure_{step}")


def codebook_texts() -> dict[str, dict[str, str]]:
    """What columns and values of the files mean, by language."""
    return {
        code: section("predict_codebook", code) | section("predict_kinds", code) | section("misconceptions", code)
        for code in language_choice.names()
    }


def _values(content: Mapping[str, Any]) -> dict[str, object]:
    values = dict(content["values"])
    if "kind" in values:
        values["kind"] = words(f"quiz_figure.kind_{values['kind']}")
    if "later" in values:
        values["later"] = percent(values["later"])
    return values
