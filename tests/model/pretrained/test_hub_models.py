"""The best-known repositories of each family, as they lie on the hub, compute here what they do in transformers."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.__main__ import main
from model.checkpoint.catalogue import Entry
from tests.model.pretrained.hub.models import MODELS, publish


@pytest.mark.parametrize("name", MODELS)
def test_a_published_model_is_imported_and_proven(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name.split("/")[1]
    publish(name, folder)
    assert main(["import", str(folder), "--check", "--out", str(tmp_path / "out"), "--name", "own"]) == 0
    checked = Entry(tmp_path / "out" / "own").card["checked"]
    assert checked["difference"] < 1e-5
    assert checked["sentences"] >= 1
