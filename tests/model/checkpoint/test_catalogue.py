import json
import os
import shutil

from model.checkpoint import catalogue
from tests.fixtures import SAMPLES


def test_a_run_of_a_page_looks_at_each_file_once_and_the_next_run_sees_what_changed(tmp_path, monkeypatch):
    shutil.copytree(SAMPLES / "reverse", tmp_path / "reverse")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    paths, stat = [], os.stat
    monkeypatch.setattr(os, "stat", lambda path, **options: paths.append(str(path)) or stat(path, **options))
    with catalogue.one_look():
        fingerprints = {catalogue.find("reverse").fingerprint for _ in range(3)}
    cards = [path for path in paths if path.endswith("card.json")]
    assert len(cards) == len(fingerprints) == 1
    card = tmp_path / "reverse" / "card.json"
    card.write_text(card.read_text(encoding="utf-8") + " ", encoding="utf-8")
    with catalogue.one_look():
        assert catalogue.find("reverse").fingerprint not in fingerprints


def test_a_file_that_is_written_during_a_run_is_seen_in_it(tmp_path, monkeypatch):
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    with catalogue.one_look():
        assert "reverse" not in catalogue.entries()
        before = catalogue.entry_of(tmp_path / "reverse").fingerprint
        shutil.copytree(SAMPLES / "reverse", tmp_path / "reverse")
        assert catalogue.find("reverse").fingerprint != before


def test_an_entry_that_somebody_keeps_has_the_config_of_its_fingerprint(tmp_path):
    shutil.copytree(SAMPLES / "reverse", tmp_path / "reverse")
    entry = catalogue.entry_of(tmp_path / "reverse")
    before, config = entry.fingerprint, dict(entry.config)
    (tmp_path / "reverse" / "config.json").write_text(json.dumps(config | {"max_length": 7}), encoding="utf-8")
    assert entry.fingerprint != before
    assert entry.config == config | {"max_length": 7}
    assert entry.config is entry.config
