"""The first page of a unit, the licences of what it holds, and the files of both."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from live import engine_files
from live.texts import speaks, template, texts
from model.checkpoint.catalogue import Entry
from viz.palette import style_sheet
from viz.standalone.document import json_text
from viz.templates import render

START = "index.html"
_ROOT = Path(__file__).parents[2]
_SCRIPT = "unit.js"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data: blob:; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def unit_files(
    name: str,
    language: str,
    data: Mapping[str, Any],
    figures: Sequence[str],
    notice: str,
) -> dict[str, bytes]:
    """The page, script and licences of the unit `name`: file name -> content."""
    script = f"unit/{name}.js"
    page = render(
        "live/units/unit.html",
        "page",
        language=language,
        title=title(name, language),
        policy=_POLICY,
        style=Markup(_style()),
        figures=engine_files.markup(figures),
        texts=json_text({each: texts(each, script) for each in speaks()}),
        languages=json_text(speaks()),
        data=json_text({"name": name, "language": language, **data}),
        script_url=_SCRIPT,
        notice=notice,
    )
    code = engine_files.page_script(script, tuple(figures))
    return {START: page.encode(), _SCRIPT: code.encode(), "NOTICE.txt": notice.encode()}


def title(name: str, language: str) -> str:
    """What a unit is called."""
    return template(language, f"unit.title_{name}")


def data_notice(entry: Entry) -> str:
    """The licences of what a model learnt from."""
    sets = entry.card.get("data", [])
    lines = [f"{each['name']}: {_OWN.get(each['licence'], each['licence'])}" for each in sets]
    files = [_ROOT / "corpora" / f"{entry.name}.{each['name']}.LICENSE.txt" for each in sets]
    texts = [file.read_text(encoding="utf-8").strip() for file in files if file.is_file()]
    return "\n\n".join([f"The model {entry.name} learnt from these sentences:\n" + "\n".join(lines), *texts]) + "\n"


_OWN = {"ours": "made by Glassformer"}


def _style() -> str:
    return engine_files.style() + style_sheet(engine_files.FRONTEND / "unit/unit.css")
