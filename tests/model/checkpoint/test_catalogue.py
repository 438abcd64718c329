import dataclasses
import json
import os
import shutil

from model.checkpoint import catalogue
from model.config import TransformerConfig
from tests.samples import SAMPLES


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
    before, config = entry.fingerprint, dataclasses.replace(entry.config, max_length=7)
    (tmp_path / "reverse" / "config.json").write_text(json.dumps(dataclasses.asdict(config)), encoding="utf-8")
    assert entry.fingerprint != before
    assert entry.config == config
    assert entry.config is entry.config


def test_a_field_that_the_config_leaves_out_has_its_default(tmp_path):
    whole = catalogue.Entry(SAMPLES / "reverse").config
    for field in dataclasses.fields(TransformerConfig):
        if getattr(whole, field.name) == field.default:
            fields = {name: value for name, value in dataclasses.asdict(whole).items() if name != field.name}
            (tmp_path / "config.json").write_text(json.dumps(fields), encoding="utf-8")
            assert catalogue.Entry(tmp_path).config == whole
