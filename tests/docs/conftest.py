"""The site, made once."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.samples import ROOT


def build(into: Path, config: Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess[str]:
    """`mkdocs build --strict`, as `make docs` runs it: a broken link is an error."""
    if not all(map(find_spec, ("mkdocs", "material", "rjieba"))):
        pytest.skip("mkdocs-material is not installed: pip install -r requirements-docs.txt")
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config), "-d", str(into)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    process = build(folder)
    assert process.returncode == 0, process.stderr
    return folder
