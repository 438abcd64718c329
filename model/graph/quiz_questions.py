"""The quiz for a page without Python: several draws of every question about one run, as plain data."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decode.translate import translate
from model.quiz.posed_question import Picture, PosedQuestion, QuizMaterial, Share
from model.quiz.questions import QUESTIONS, offered

DIGITS = 5  # decimals of the numbers of a picture
_OF_APP = ("pre_or_post",)  # its hint names a page of the app


def questions(checkpoint: Checkpoint, config: TransformerConfig, sentence: str, count: int) -> list[dict[str, Any]]:
    """Every question that the model can answer, with `name`, `topic` and up to `count` different `draws`."""
    trace = translate(checkpoint, sentence).trace
    rounds = [_round(QuizMaterial(config, trace, number)) for number in range(1, count + 1)]
    drawn = {name: list(_draws(name, [each[name] for each in rounds if name in each])) for name in QUESTIONS}
    return [
        {"name": name, "topic": QUESTIONS[name].topic, "draws": draws}
        for name, draws in drawn.items()
        if draws and name not in _OF_APP
    ]


def _round(material: QuizMaterial) -> dict[str, PosedQuestion]:
    return offered(lambda _: material)


def _draws(name: str, posed: list[PosedQuestion]) -> Iterator[dict[str, Any]]:
    seen = set()
    for question in posed if QUESTIONS[name].varies else posed[:1]:
        data = described(question)
        content = json.dumps(data | {"options": sorted(data["options"])}, sort_keys=True)
        if content not in seen:
            seen.add(content)
            yield data


def described(question: PosedQuestion) -> dict[str, Any]:
    """A question as `isRight` and the texts in live/frontend/unit/ need it.

    key         a number; the texts of options or heads that are right; the sizes of a shape
    values      texts; {"share": x} is written in percent
    labels      of steps, the options as they are written
    """
    return {
        "kind": question.kind,
        "key": _key(question),
        "solution": question.solution(),
        "values": {name: _plain(value) for name, value in question.values.items()},
        "options": [str(option) for option in question.options],
        "labels": [f"{option:,}" for option in question.options] if question.kind == "steps" else [],
        "texts": dict(question.texts),
        "measured": {name: _plain(value) for name, value in question.measured.items()},
        "margin": _margin(question),
        "picture": question.picture and _picture(question.picture),
    }


def _key(question: PosedQuestion) -> Any:
    if question.kind == "number":
        return float(question.key)
    if question.kind in ("shape", "head"):
        return list(question.key)
    return str(question.key)


def _margin(question: PosedQuestion) -> float:
    """By how much a typed number may be off."""
    return max(abs(question.key) * question.tolerance, question.rounding) if question.kind == "number" else 0.0


def _plain(value: object) -> object:
    """As a text shows it: whole numbers with separated thousands."""
    if isinstance(value, Share):
        return {"share": float(value)}
    return f"{value:,}" if type(value) is int else str(value)


def _picture(picture: Picture) -> dict[str, Any]:
    """With its values as nested lists; null is the one that is asked for."""
    values = np.round(picture.values.astype(float), DIGITS).astype(object)
    values[np.isnan(picture.values.astype(float))] = None
    return {
        "kind": picture.kind,
        "values": values.tolist(),
        "rows": picture.rows,
        "columns": picture.columns,
        "colour": picture.colour,
        "row": picture.row,
    }
