"""What a teacher lets students see on a live page: read as the app reads it, by the names that the app has."""

import re
from dataclasses import asdict
from pathlib import Path

from live.engine_files import FRONTEND
from pages.shared.classroom import visible
from tests.live.test_frontend import MODULES
from tests.node import run_tests

TEXTS = (
    "", "pages:attention,masks", "pages:attention;models:de-en,reverse;hide:head,sentence", "hide:nothing,tour",
    "pages:;models:", "nonsense", ";;:,", "pages:a:b", "constructor:x",
)  # fmt: skip


def test_a_choice_is_read_as_the_app_reads_it(tmp_path: Path) -> None:
    cases = [{"text": text, **asdict(visible.read(text))} for text in TEXTS]
    run_tests([MODULES / "visible.test.mjs"], tmp_path, visible=cases)


def test_controls_have_the_names_of_the_app() -> None:
    """Each that a script marks has a rule in the style, and the teacher can choose it."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in (FRONTEND / "page").rglob("*.js"))
    marked = set(re.findall(r'"data-hideable": "(\w+)"', scripts)) | set(re.findall(r'"pills", "(\w+)"\)', scripts))
    style = (FRONTEND / "page/page.css").read_text(encoding="utf-8")
    assert (
        marked == set(re.findall(r'\[data-hideable="(\w+)"\]', style)) == {"model", "sentence", "head", "tabs", "files"}
    )
    assert marked <= set(visible.HIDEABLE)
