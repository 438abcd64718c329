"""The units of both languages, unpacked on a server beside a platform that runs them."""

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.__main__ import main
from tests.live.conftest import served

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def units(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages."""
    out = tmp_path_factory.mktemp("units")
    assert main(["live", "mini-encoder", "--out", str(out), "--scorm"]) == 0
    return out / "scorm"


@pytest.fixture(scope="session")
def platform(units: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with `platform.html` and every package as a folder."""
    folder = tmp_path_factory.mktemp("platform")
    for package in units.glob("*.zip"):
        zipfile.ZipFile(package).extractall(folder / package.stem)
    for file in (HERE / "platform.html", *(HERE.parent / "frontend/vendor").glob("*.js")):
        shutil.copy(file, folder)
    with served(folder) as address:
        yield address
