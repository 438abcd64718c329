"""The course and the quiz of a model as plain data: for its live page, and for units of learning platforms."""

import json
from functools import partial
from typing import Any

from live.example import brief, example
from live.model_file import compressed
from live.texts import speaks, table, template
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.course import page_data
from model.graph.quiz_questions import questions
from model.predict.page_data import predictions
from viz.components import architecture_blocks
from viz.html.glossary import Definition
from viz.html.prose import MARK, prose_html

DRAWS = 12  # of a question, from which the browser takes one
PREDICTED = 6  # draws of a prediction
MARK_TO_PASS = 0.6  # the share of first answers that passes
STEPS = (
    "lookup", "vectors", "position", "head", "heads", "mask", "layers", "cross", "writing", "learning", "explain",
)  # fmt: skip


def lessons_file(checkpoint: Checkpoint, entry: Entry) -> bytes:
    """All lessons about a model as a compressed file, which its page reads when one of them is opened."""
    asked = predictions(checkpoint, entry, entry.card["examples"][0], PREDICTED)
    lessons = {"quiz": quiz(checkpoint, entry), "predictions": asked}
    if entry.config.architecture == "encoder-decoder" and page_data.with_moments(entry):
        lessons["course"] = course(checkpoint, entry)
    return compressed(json.dumps(lessons, ensure_ascii=False, separators=(",", ":")).encode())


def course(checkpoint: Checkpoint, entry: Entry) -> dict[str, Any]:
    """The course about a model with both sides: `page_data.course`, the example, and texts and maps by language."""
    sentence = entry.card["examples"][0]
    data = page_data.course(checkpoint, entry, sentence)
    prose = {each: {name: _prose(each, name, data["values"]) for name in STEPS} for each in speaks()}
    maps = {each: _map(each, entry, data["steps"]["cross"]["figure"]) for each in speaks()}
    return data | _known(checkpoint, entry) | {"prose": prose, "maps": maps}


def quiz(checkpoint: Checkpoint, entry: Entry) -> dict[str, Any]:
    """The quiz about a model that reads text: draws of all its questions, and the example that they are about."""
    asked = questions(checkpoint, entry.config, entry.card["examples"][0], DRAWS)
    return _known(checkpoint, entry) | {"mark": MARK_TO_PASS, "questions": asked}


def _known(checkpoint: Checkpoint, entry: Entry) -> dict[str, Any]:
    return {"example": example(checkpoint, entry.card["examples"][0]), "model": brief(checkpoint, entry)}


def _map(language: str, entry: Entry, figure: dict[str, Any]) -> str:
    """The map of the model with the shapes of its pass."""
    layers = (entry.config.encoder_layers, entry.config.decoder_layers)
    blocks = architecture_blocks.blocks_of(figure["shapes"], figure["before"])
    return architecture_blocks.architecture_data(blocks, layers, table(language, "architecture"))


def _prose(language: str, name: str, values: dict[str, Any]) -> str:
    """The text of a step as HTML; its terms show their definitions."""
    text = template(language, f"course_{name}.text")
    return prose_html(text, f"course-{name}", lambda piece: piece.format(**values), partial(_definition, language))


def _definition(language: str, term: str) -> Definition:
    english = template("en", f"term_{term}.name") if language != "en" else ""
    text = MARK.sub(
        lambda mark: mark[2] or template(language, f"term_{mark[1]}.name"), template(language, f"term_{term}.text")
    )
    return Definition(template(language, f"term_{term}.name"), english, text)
