"""`python -m model import`, as its user types it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import transformers
from safetensors.torch import load_file, save_file

from model.__main__ import main
from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate
from model.errors import InvalidInput
from model.pretrained import importing, proof
from model.pretrained.converted import Converted, Fields
from model.pretrained.families import bart, families
from model.pretrained.tensors import Tensors
from model.trace import load_trace
from tests.model.pretrained.small import build

README = """---
language:
- de
- en
license: apache-2.0
tags: [translation]
---
# A small model
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub") / "opus-mt-de-en"
    build("marian", folder)
    (folder / "README.md").write_text(README, encoding="utf-8")
    return folder


def test_an_imported_model_is_a_checkpoint_with_card_licence_and_example(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    assert main(["import", str(original)]) == 0
    entry = catalogue.find("opus-mt-de-en")
    assert entry.is_sound()
    card = entry.card
    checked = card["checked"]
    assert card["imported"] == {
        "family": "marian", "source": "opus-mt-de-en", "revision": "", "licence": "apache-2.0",
    }  # fmt: skip
    assert (card["task"], card["source_language"], card["target_language"]) == ("translation", "de", "en")
    run = translate(checkpoints.load(entry), card["examples"][0])
    assert run.text == card["example_translation"]
    recorded = load_trace(entry.folder / "example.npz")
    assert recorded.target_tokens == run.trace.target_tokens
    assert (recorded.values["logits"] == run.trace.values["logits"]).all()
    assert checked["version"] == transformers.__version__
    assert checked["sentences"] == len(card["examples"]) + 1  # and a long one
    assert checked["otherwise"] == []
    assert 0 < checked["difference"] < 1e-5
    said = capsys.readouterr().out
    assert "apache-2.0" in said
    assert f"checked against transformers {transformers.__version__}: largest difference" in said
    assert main(["list"]) == 0
    assert "opus-mt-de-en\tde → en" in capsys.readouterr().out


def test_without_transformers_it_is_not_checked_and_says_how(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "is_possible", lambda: False)
    assert main(["import", str(original), "--out", str(tmp_path), "--check"]) == 2
    assert "pip install transformers" in capsys.readouterr().err
    assert main(["import", str(original), "--out", str(tmp_path), "--half"]) == 0
    assert "not checked against transformers" in capsys.readouterr().out
    entry = catalogue.Entry(tmp_path / original.name)
    assert "checked" not in entry.card
    monkeypatch.undo()
    assert main(["import", str(original), "--out", str(tmp_path), "--check"]) == 0  # which is there already
    assert 1e-5 < entry.card["checked"]["difference"] < proof.MOST_OF_HALF  # of the rounded weights, which are stored
    assert f"transformers {transformers.__version__}" in (entry.folder / "card.md").read_text(encoding="utf-8")


def test_why_it_is_not_checked_is_said(original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """transformers does not know the names that a wrapper gives."""
    folder = tmp_path / original.name
    folder.mkdir()
    for file in original.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    weights = folder / "model.safetensors"
    save_file({f"module.{name}": tensor for name, tensor in load_file(weights).items()}, weights, {"format": "pt"})
    assert main(["import", str(folder), "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr()
    assert "cannot read this folder itself (it does not find " in said.err
    assert "not checked against transformers" in said.out


def test_another_folder_is_not_what_a_checkpoint_was_made_of(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(original), "--out", str(tmp_path), "--no-check"]) == 0
    folder = tmp_path / "other" / original.name
    build("marian", folder)
    tensors = load_file(folder / "model.safetensors")
    tensors["model.decoder.layers.1.fc2.bias"] += 1
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    assert main(["import", str(folder), "--out", str(tmp_path), "--check"]) == 2
    assert "other weights" in capsys.readouterr().err


def test_a_model_that_computes_something_else_is_refused(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a part of a family had been read wrongly."""

    def wrong(fields: Fields, tensors: Tensors) -> Converted:
        converted = bart.marian(fields, tensors)
        converted.weights["encoder.0.feed_forward.hidden.bias"] += 0.01
        return converted

    monkeypatch.setitem(families(), "marian", wrong)
    assert main(["import", str(original), "--out", str(tmp_path)]) == 2
    assert "computes something else" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == []


def test_an_output_that_begins_otherwise_is_refused(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the id were read from the wrong file."""
    monkeypatch.setitem(families(), "marian", lambda fields, tensors: replace(bart.marian(fields, tensors), start=5))
    assert main(["import", str(original), "--out", str(tmp_path)]) == 2
    assert "decoder_start_token_id differs by" in capsys.readouterr().err


def test_half_precision_halves_the_file_and_keeps_the_argmax(original: Path, tmp_path: Path) -> None:
    for name, more in (("whole", []), ("half", ["--half", "--example", "Wo ist der Bahnhof?"])):
        assert main(["import", str(original), "--out", str(tmp_path), "--name", name, *more]) == 0
    sizes = [(tmp_path / name / "model.safetensors").stat().st_size for name in ("half", "whole")]
    assert sizes[0] < 0.7 * sizes[1]
    runs = [translate(checkpoints.load(catalogue.Entry(tmp_path / name)), "Wo ist es?") for name in ("half", "whole")]
    assert runs[0].ids == runs[1].ids
    logits = [run.trace.values["logits"] for run in runs]
    assert math.isclose(float(logits[0].max()), float(logits[1].max()), rel_tol=0.02)
    card = json.loads((tmp_path / "half" / "card.json").read_text(encoding="utf-8"))
    assert card["examples"] == ["Wo ist der Bahnhof?"]


@pytest.mark.parametrize("field", ["before", "after", "hidden", "mask"])
def test_an_id_outside_of_the_vocabulary_of_an_own_folder_is_named(field: str, original: Path, tmp_path: Path) -> None:
    assert main(["import", str(original), "--out", str(tmp_path)]) == 0
    entry = catalogue.Entry(tmp_path / original.name)
    fields = json.loads((entry.folder / "vocabulary.json").read_text(encoding="utf-8"))
    for id_ in (10**9, -1, len(fields["pieces"]), "x"):
        changed = fields | {field: id_ if field == "mask" else [id_]}
        (entry.folder / "vocabulary.json").write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(InvalidInput) as refused:
            checkpoints.load(entry)
        assert refused.value.code == "checkpoint_tokenizer"


def test_what_cannot_be_imported_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for source in (str(tmp_path), str(tmp_path / "missing"), "a/b/c"):
        assert main(["import", source, "--out", str(tmp_path)]) == 2
        error = capsys.readouterr().err.strip().splitlines()[-1]
        assert error.startswith("glassformer: ")
    assert [path.name for path in tmp_path.iterdir()] == []


def test_an_example_after_which_nothing_is_seen_stands_alone(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spaces, and a character without ink."""
    for written in ("", " \n", "\u200b"):
        card = {"parameters": {"total": 1}, "imported": {"licence": "MIT"}, "examples": ["Hallo."]}
        entry = SimpleNamespace(folder=tmp_path, card=card | {"example_translation": written})
        monkeypatch.setattr(importing, "import_folder", lambda *about, entry=entry, **more: entry)
        assert main(["import", str(original), "--out", str(tmp_path)]) == 0
        assert "Hallo.\n" in capsys.readouterr().out
