"""The Dockerfile holds all that the app needs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.samples import ROOT

_CODE = "import app; from pages.shared.classroom import my_class; my_class.classrooms(); print('works')"


def test_what_the_dockerfile_copies_is_enough(tmp_path: Path) -> None:
    """The launcher and the database work in a folder that holds only that; the checkpoints are left out for speed."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    names = [name for line in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE) for name in line.split()]
    assert "sample_checkpoints" in names
    for name in names:
        source = ROOT / name
        if source.is_file():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(source, tmp_path / name)
        elif name != "sample_checkpoints":
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    ran = subprocess.run([sys.executable, "-c", _CODE], cwd=tmp_path, capture_output=True, text=True)
    assert ran.stdout.split() == ["works"], ran.stderr


def test_the_proxy_of_compose_packs_text_that_comes_plain() -> None:
    assert re.search(r"^\tencode .*gzip", (ROOT / "hosting" / "Caddyfile").read_text(encoding="utf-8"), re.MULTILINE)
