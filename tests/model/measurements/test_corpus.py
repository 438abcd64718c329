"""`python -m model corpus`: the outputs of a user's lines and their signals as JSON, or one sentence."""

import json
from pathlib import Path

import pytest

from model.__main__ import main
from model.decode.translate import translate
from tests.samples import BUCH, KINO, SAMPLES, german_english


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(SAMPLES))


def test_lines_with_references_are_judged_and_signals_ranked(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "lines.tsv"
    good = translate(german_english(), BUCH).text
    file.write_text(f"{BUCH}\t{good}\n{KINO}\tQuite another sentence.\n", encoding="utf-8")
    assert main(["corpus", "de-en", "--lines", str(file)]) == 0
    result = json.loads(capsys.readouterr().out)
    first, second = result["lines"]
    assert (first["line"], first["source"], first["output"], first["chrf"]) == (1, BUCH, good, 100)
    assert second["chrf"] < 50
    areas = {name: each["area"] for name, each in result["signals"].items()}
    assert areas["surprise"][0] == (first["log_probability"] > second["log_probability"])
    assert result["signals"]["surprise"]["beyond_probability"] == [0, 0, 0]
    assert main(["corpus", "de-en", "--lines", str(file), "--below", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["signals"] == {}


def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes("schön".encode("latin-1"))
    assert main(["corpus", "de-en", "--lines", str(file)]) == 2
    error = capsys.readouterr().err
    assert error == "glassformer: The file is not UTF-8 text (byte 4): save it again as UTF-8.\n"
