"""The course as a unit: its steps, a test before and after them, and a live page of the model."""

from typing import Any

from classroom.learning import bank
from live import engine_files, lessons, pages
from live.units.document import data_notice, unit_files
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint

LIVE = "live"  # the folder of the live page


def course_files(checkpoint: Checkpoint, entry: Entry, language: str) -> dict[str, bytes]:
    """The files of the course about a model with both sides, which translates: name -> content."""
    data = lessons.course(checkpoint, entry) | {"test": _test()}
    notice = f"{engine_files.notice().strip()}\n\n{data_notice(entry)}"
    page = {f"{LIVE}/{name}": content for name, content in pages.folder_files([entry])}
    return unit_files("course", language, data, ("attention", "matrix", "architecture"), notice) | page


def _test() -> dict[str, list[dict[str, Any]]]:
    """The questions before and after the course, by form."""
    return {
        form: [{"id": each.id, "right": each.right, "choices": bank.CHOICES} for each in questions]
        for form, questions in bank.forms().items()
    }
