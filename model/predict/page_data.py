"""Predictions for a page without Python: several draws of the questions whose answers its engine can measure.

The page runs the model and reads the answer off its values; nothing that is measured travels with the question.
"""

import json
from collections.abc import Iterator
from typing import Any

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.predict.prediction import Prediction, PredictionMaterial, ask

# The questions, with those of their values that are measured. The others need edits that no graph of a page has, or the
# probability of a whole output.
MEASURED = {
    "where": ("token", "weight"),
    "head_off": ("token",),
    "how_sure": ("percent",),
    "next_word": ("token", "percent"),
    "position": ("token",),
}


def predictions(checkpoint: Checkpoint, entry: Entry, sentence: str, count: int) -> list[dict[str, Any]]:
    """Every question that is fair for the model and a sentence, with `name` and up to `count` different `draws`."""
    run = translate(checkpoint, sentence)
    rounds = [
        PredictionMaterial(entry.config, run.trace, number, checkpoint=checkpoint, run=run)
        for number in range(1, count + 1)
    ]
    drawn = {name: list(_draws(name, rounds)) for name in MEASURED}
    return [{"name": name, "draws": draws} for name, draws in drawn.items() if draws]


def _draws(name: str, rounds: list[PredictionMaterial]) -> Iterator[dict[str, Any]]:
    seen = set()
    for material in rounds:
        question = ask(name, material)
        data = described(question) if question else None
        content = json.dumps(data and data | {"options": sorted(data["options"])}, sort_keys=True)
        if data and content not in seen:
            seen.add(content)
            yield data


def described(question: Prediction) -> dict[str, Any]:
    """A question as `live/frontend/lessons/predictions.js` needs it.

    values    of its text, without those that are measured
    options   a list of [answer, its text]; "" of one whose text is among the texts of the question
    shows     answer -> the misconception that it shows where it is wrong
    margin    of a slider, the percentage points by which an answer may be off
    measure   see `Prediction`
    """
    content = question.content()
    values = {name: value for name, value in content["values"].items() if name not in MEASURED[question.name]}
    return {
        "look": question.look,
        "values": {name: str(value) for name, value in values.items()},
        "options": content["options"],
        "shows": content["shows"],
        "margin": question.posed.rounding if question.look == "percent" else 0,
        "measure": dict(question.measure),
    }
