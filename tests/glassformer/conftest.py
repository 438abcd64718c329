"""The notebook package as the repository has it, and as a user installs it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.samples import ROOT


@pytest.fixture(scope="session")
def glassformer() -> ModuleType:
    """The package as one imports it from the repository."""
    import glassformer

    return glassformer


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the package is built from: a build leaves files in its folder."""
    folder = tmp_path_factory.mktemp("source")
    shutil.copytree(ROOT / "viz", folder / "viz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture(scope="session")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package and nothing else."""
    target = tmp_path_factory.mktemp("installed")
    install(source, "--target", str(target), ".")
    return target


def install(source: Path, *arguments: str) -> None:
    """Install the package without asking any index."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, *arguments]
    subprocess.run(command, cwd=source, check=True, capture_output=True, text=True)


def run(code: str, installed: Path, folder: Path) -> str:
    """Run code in a process of its own that knows the installed package, and not the repository; return its output."""
    start = f"import sys; sys.path.insert(0, {str(installed)!r})\n"
    process = subprocess.run(
        [sys.executable, "-I", "-c", start + code],
        cwd=folder, capture_output=True, text=True, env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    return process.stdout
