"""The course as a unit: texts, figures and questions of its steps, and a live page of the model."""

from functools import partial
from typing import Any

from classroom.learning import bank
from live import engine_files, pages
from live.example import brief, example
from live.texts import speaks, table, template
from live.units.document import data_notice, unit_files
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.course import page_data
from viz.components import architecture_blocks
from viz.html.glossary import Definition
from viz.html.prose import MARK, prose_html

LIVE = "live"  # the folder of the live page
STEPS = (
    "lookup", "vectors", "position", "head", "heads", "mask", "layers", "cross", "writing", "learning", "explain",
)  # fmt: skip


def course_files(checkpoint: Checkpoint, entry: Entry, language: str) -> dict[str, bytes]:
    """The files of the course about a model with both sides, which translates: name -> content."""
    sentence = entry.card["examples"][0]
    data = page_data.course(checkpoint, entry, sentence) | {"test": _test()}
    known = {"example": example(checkpoint, sentence), "model": brief(checkpoint, entry)}
    prose = {each: {name: _prose(each, name, data["values"]) for name in STEPS} for each in speaks()}
    maps = {each: _map(each, entry, data["steps"]["cross"]["figure"]) for each in speaks()}
    figures = ("attention", "matrix", "architecture")
    notice = f"{engine_files.notice().strip()}\n\n{data_notice(entry)}"
    page = {f"{LIVE}/{name}": content for name, content in pages.folder_files([entry])}
    return unit_files("course", language, data | known | {"prose": prose, "maps": maps}, figures, notice) | page


def _test() -> dict[str, list[dict[str, Any]]]:
    """The questions before and after the course, by form."""
    return {
        form: [{"id": each.id, "right": each.right, "choices": bank.CHOICES} for each in questions]
        for form, questions in bank.forms().items()
    }


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
