"""Builds the package for notebooks: figures and their texts are copied from the app, and so exist once."""

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
TABLES = ("attention_figure", "matrix_figure")  # of pages/content/
_FROM_VIZ = re.compile(r"^(\s*from )viz(?=[.\s])", re.MULTILINE)
_IMPORT_VIZ = re.compile(r"^\s*import viz\b", re.MULTILINE)


class BuildWithFigures(build_py):
    def run(self) -> None:
        if self.editable_mode:
            raise SystemExit("The package is put together when it is built: install it without -e.")
        super().run()
        built = Path(self.build_lib) / "glassformer"
        copy_figures(ROOT / "viz", built / "viz")
        write_words(ROOT / "pages/content", built / "words")


def copy_figures(source: Path, target: Path) -> None:
    """`viz` as `glassformer.viz`: nothing that is named `viz` gets into the environment of others."""
    shutil.rmtree(target, ignore_errors=True)  # of an earlier build
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    for file in target.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if _IMPORT_VIZ.search(text):
            raise SystemExit(f"{file}: write `from viz import …`, which the package can rename.")
        file.write_text(_FROM_VIZ.sub(r"\1glassformer.viz", text), encoding="utf-8")


def write_words(content: Path, target: Path) -> None:
    """The texts of the figures, a file per language."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for language in sorted({file.parent for file in content.glob("*/*.toml")}):
        tables: dict[str, Any] = {}
        for file in language.glob("*.toml"):
            tables |= tomllib.loads(file.read_text(encoding="utf-8"))
        if found := {table: tables[table] for table in TABLES if table in tables}:
            (target / f"{language.name}.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


setup(cmdclass={"build_py": BuildWithFigures})
