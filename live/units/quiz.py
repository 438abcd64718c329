"""The quiz as a unit."""

from live import lessons
from live.units.document import data_notice, unit_files
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint


def quiz_files(checkpoint: Checkpoint, entry: Entry, language: str) -> dict[str, bytes]:
    """The files of the quiz of a model that reads text: name -> content."""
    return unit_files("quiz", language, lessons.quiz(checkpoint, entry), ("attention", "matrix"), data_notice(entry))
