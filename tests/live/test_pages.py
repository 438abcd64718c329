"""Live pages on disk: which files there are, and what is refused."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from live import document, engine_files, pages
from live.model_file import model_file
from model.__main__ import main
from model.checkpoint import catalogue
from model.errors import InvalidInput
from tests.samples import tiny_checkpoint
from viz.standalone.document import spelled

OTHER_HOST = re.compile(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""")


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> catalogue.Entry:
    """A small checkpoint, the only one."""
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path / "checkpoints"))
    tiny_checkpoint(tmp_path / "checkpoints" / "tiny")
    return catalogue.find("tiny")


def test_a_folder_names_its_files_by_their_content(
    tiny: catalogue.Entry, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["live", "tiny", "tiny", "--out", str(out)]) == 0
    written = [Path(line.split("\t")[0]) for line in capsys.readouterr().out.splitlines()]
    assert sorted(written) == sorted(path for path in out.rglob("*") if path.is_file())
    listed = _listed(out / "index.html")
    files = [listed["worker"], listed["wasm"], *listed["models"]]
    assert [model["name"] for model in listed["models"]] == ["tiny"]
    for file in files:
        data = (out / file["url"]).read_bytes()
        assert len(data) == file["bytes"]
        assert hashlib.sha256(data).hexdigest()[:12] in file["url"]
    assert main(["live", "tiny", "--out", str(tmp_path / "again")]) == 0
    assert _listed(tmp_path / "again" / "index.html") == listed


def test_a_single_file_holds_everything(tiny: catalogue.Entry, tmp_path: Path) -> None:
    assert main(["live", "tiny", "--out", str(tmp_path), "--single"]) == 0
    page = (tmp_path / "tiny.html").read_text(encoding="utf-8")
    assert not OTHER_HOST.search(page)
    assert "url" not in _listed(tmp_path / "tiny.html")["models"][0]
    assert len(page) > len(engine_files.wasm())


def test_a_page_that_is_saved_keeps_no_model() -> None:
    ended: list[str] = []

    class Model(bytes):
        def __del__(self) -> None:
            ended.append("model")

    page = document.embedded("Title", "", b"worker", b"wasm", {}, Model(b"model"), b"lessons", b"training", "")
    assert spelled(b"model") in page
    assert ended == ["model"]


def _listed(page: Path) -> dict:
    found = re.search(r'id="live">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found
    return json.loads(found[1])


def test_the_same_model_makes_the_same_file(tiny: catalogue.Entry) -> None:
    checkpoint = pages.loaded(tiny)
    first = model_file(checkpoint, tiny)
    assert model_file(pages.loaded(tiny), tiny) == first
    assert gzip.decompress(first)[4:5] == b"{"


def test_what_cannot_be_a_page_is_refused_in_a_sentence(
    tmp_path: Path, tiny: catalogue.Entry, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["live", "nobody", "--out", str(tmp_path)]) == 2
    monkeypatch.setattr(pages, "IN_BROWSER", 1000)
    with pytest.raises(InvalidInput, match="takes up to 1,000"):
        pages.loaded(tiny)
    monkeypatch.delenv("GLASSFORMER_CHECKPOINTS")
    assert main(["live", "forecast", "--out", str(tmp_path)]) == 2
    assert "reads numbers" in capsys.readouterr().err


def test_what_is_vendored_is_what_was_made() -> None:
    lines = (engine_files.VENDOR / "checksums.sha256").read_text(encoding="utf-8").splitlines()
    for digest, name in map(str.split, lines):
        assert hashlib.sha256((engine_files.VENDOR / name).read_bytes()).hexdigest() == digest, name
        assert name == "NOTICE.txt" or name in engine_files.notice()
