"""How many modules a folder has and how many lines a module, so that each can be read at once. Tests are apart."""

from collections import Counter

from tests.house.test_imports import OURS
from tests.samples import ROOT

MODULES = 14  # of a folder, beside `__init__.py`
LINES = 420
GROWS = "migrations"  # a folder that gets a file with every change of the tables
PATHS = [
    path.relative_to(ROOT)
    for name in OURS
    if name != "tests"
    for path in (ROOT / name).rglob("*.py")
    if path.stem != "__init__" and GROWS not in path.parts
]
SCRIPTS = [
    path.relative_to(ROOT)
    for name in ("live", "pages", "viz")
    for path in (ROOT / name).rglob("*.js")
    if "vendor" not in path.parts
]


def test_a_folder_has_few_modules() -> None:
    counts = Counter(str(path.parent) for path in PATHS)
    assert {folder: count for folder, count in counts.items() if count > MODULES} == {}


def test_a_module_or_a_script_has_few_lines() -> None:
    counts = {str(path): (ROOT / path).read_text(encoding="utf-8").count("\n") for path in (*PATHS, *SCRIPTS)}
    assert {path: count for path, count in counts.items() if count > LINES} == {}
