"""`python -m model training-index`: what it writes can be read, and only translators have one."""

import json
import shutil
from pathlib import Path

import pytest

from corpora.corpus import numbered
from corpora.translation import Translation
from model.__main__ import main
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.features import sentences
from model.influence import stored_index
from tests.samples import SAMPLES


def test_the_index_of_a_translator_is_of_its_training_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(sentences, "OF_GRAMMAR", 400)
    monkeypatch.setattr(stored_index, "SAMPLE", 500)
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    shutil.copytree(SAMPLES / "es-en", tmp_path / "es-en", ignore=shutil.ignore_patterns(stored_index.FILE))
    assert main(["training-index", "es-en", "--pairs", "20", "--save"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 20
    index = stored_index.load(tmp_path / "es-en", load(Entry(tmp_path / "es-en")))
    assert index is not None
    corpus = Translation("es", pairs=400)
    assert len(index.pairs) == 20
    assert len(set(index.sample)) == 500
    assert set(index.sample) <= set(corpus.texts())
    assert index.groups == numbered(corpus.groups(), index.sample)


def test_other_models_are_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(SAMPLES))
    assert main(["training-index", "reverse"]) == 2
    assert capsys.readouterr().err.startswith("glassformer: ")
