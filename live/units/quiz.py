"""The quiz as a unit: questions about one run of a model, several draws of each, and what their texts need."""

from live.example import brief, example
from live.units.document import data_notice, unit_files
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.graph.quiz_questions import questions

DRAWS = 12  # of a question, from which the browser takes one
MARK = 0.6  # the share of first answers that passes


def quiz_files(checkpoint: Checkpoint, entry: Entry, language: str) -> dict[str, bytes]:
    """The files of the quiz of a model that reads text: name -> content."""
    sentence = entry.card["examples"][0]
    data = {
        "mark": MARK,
        "example": example(checkpoint, sentence),
        "model": brief(checkpoint, entry),
        "questions": questions(checkpoint, entry.config, sentence, DRAWS),
    }
    return unit_files("quiz", language, data, ("attention", "matrix"), data_notice(entry))
