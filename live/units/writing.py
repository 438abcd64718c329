"""Units on disk: a zip of each unit in each language for each version of SCORM."""

from collections.abc import Iterator
from pathlib import Path

from live import pages
from live.units.course import course_files
from live.units.document import START, title
from live.units.packages import VERSIONS, Unit, write_package
from live.units.quiz import quiz_files
from model.checkpoint import catalogue

MODELS = {"en": "de-en", "zh": "zh-en", "es": "es-en"}  # whose sentences a reader of the language can read
UNITS = {"course": course_files, "quiz": quiz_files}


def write_units(out: Path) -> Iterator[Path]:
    """Write every package, such as `quiz-en-scorm12.zip`; gives each when it is there."""
    for language, model in MODELS.items():
        entry = catalogue.find(model)
        checkpoint = pages.loaded(entry)
        for name, files_of in UNITS.items():
            unit = Unit(f"glassformer-{name}-{language}", title(name, language), language, START)
            files = files_of(checkpoint, entry, language)
            for version in VERSIONS:
                file = f"{name}-{language}-scorm{version.replace('.', '')}.zip"
                yield write_package(unit, files, version, out / file)
