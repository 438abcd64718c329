"""Fixtures that several files of this folder use."""

import json
from pathlib import Path

import pytest

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.upload import upload_check
from tests.model.upload.making import SENTENCE
from tests.samples import tiny_checkpoint


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound checkpoint of a few thousand parameters."""
    folder = tmp_path_factory.mktemp("sound") / "tiny"
    tiny_checkpoint(folder)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    card["first_look"] = {"attention_kind": "cross", "layer": 0, "head": 1}
    card["examples"] = [SENTENCE]
    card["example_translation"] = translate(checkpoints.load(Entry(folder)), SENTENCE).text
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    (folder / "card.md").write_text("# tiny\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def sound(tiny: Path) -> bytes:
    return upload_check.pack(Entry(tiny))
