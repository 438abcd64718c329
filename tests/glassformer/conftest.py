"""The notebook package, built as a user installs it."""

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.fixtures import ROOT

PARTS = ("glassformer", "viz", "pages/content", "setup.py", "pyproject.toml", "MANIFEST.in")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package and nothing else, built from a copy: a build leaves files in its folder."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for part in PARTS:
        here, there = ROOT / part, source / part
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(here, there) if here.is_dir() else shutil.copy(here, there)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), "."],
        cwd=source, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return target


@pytest.fixture(scope="session")
def glassformer(installed: Path) -> Iterator[ModuleType]:
    """The installed package, not the folder of the repository, which lacks the figures."""
    for name in [name for name in sys.modules if name.split(".")[0] == "glassformer"]:
        del sys.modules[name]
    sys.path.insert(0, str(installed))
    module = importlib.import_module("glassformer")
    assert str(module.__file__).startswith(str(installed))
    yield module
    sys.path.remove(str(installed))


def run(code: str, installed: Path, folder: Path) -> str:
    """What the code prints in a process of its own that knows the installed package, and not the repository."""
    start = f"import sys; sys.path.insert(0, {str(installed)!r})\n"
    ended = subprocess.run(
        [sys.executable, "-I", "-c", start + code],
        cwd=folder, capture_output=True, text=True, env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
