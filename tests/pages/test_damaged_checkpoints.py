"""Checkpoints that are damaged, or not there."""

import json
import shutil
import threading
from pathlib import Path

import pytest

from model.decode.translate import translate
from pages.shared.models import warmup
from pages.shared.session import page_list
from tests.app import (
    CARD,
    READING_PAGES,
    buttons,
    said,
    sentence,
    shown,
    visit,
)
from tests.samples import KINO, SAMPLES, beside_a_damaged_one, german_english, in_turn

pytestmark = pytest.mark.usefixtures("warm")


def test_a_damaged_checkpoint_is_named_on_every_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = beside_a_damaged_one(tmp_path, "missing tensor")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    for page in READING_PAGES:
        app = visit(page, checkpoint=name)
        [notice] = said(app)
        assert name in notice, page
        assert "\n" not in notice, page
    [other] = buttons(app)  # the way out
    assert "de-en" in other.label.replace("\\", "")


@pytest.mark.sample(3)
@in_turn(
    "damage", ["missing tensor", "wrong shape", "config is not JSON", "card is not JSON", "not safetensors", "no words"]
)
def test_a_damaged_checkpoint_is_named_and_the_other_works(
    damage: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = beside_a_damaged_one(tmp_path, damage)
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("start", language, checkpoint=name)
    [notice] = said(app)
    assert name in notice
    assert "\n" not in notice
    healthy = visit("start", checkpoint="de-en")
    assert said(healthy) == []
    assert shown(healthy)[1] == translate(german_english(), KINO).text
    cards = visit("checkpoints", language, card=name)
    assert cards.header[0].value.replace("\\", "") == name
    [notice] = said(cards)
    assert name in notice
    cards = visit("checkpoints", language, card="de-en")
    assert said(cards) == []
    assert f"{CARD['parameters']['total']:,}" in [metric.value for metric in cards.metric]


def test_the_way_out_of_a_damaged_checkpoint_leads_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = beside_a_damaged_one(tmp_path, "not safetensors")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("start", checkpoint=name)
    next(
        button for button in app.main.button if button.label == sentence("en", "notice.use_other", name="de\\-en")
    ).click().run()
    assert shown(app) == [KINO, translate(german_english(), KINO).text]


@pytest.mark.sample(2)
@pytest.mark.parametrize("lacking", ["examples", "covers", "scores", "first_look", "example_translation"])
def test_a_card_without_a_field_is_named_too(lacking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As left behind by a training that was stopped before its end."""
    for name in ("a-damaged", "de-en"):
        shutil.copytree(SAMPLES / "de-en", tmp_path / name)
    card = {key: value for key, value in CARD.items() if key != lacking}
    (tmp_path / "a-damaged" / "card.json").write_text(json.dumps(card), encoding="utf-8")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    for page in ("start", "attention", "quiz", *(["checkpoints"] if lacking == "first_look" else [])):
        visit(page)
    assert any("a-damaged" in notice for notice in said(visit("checkpoints", card="a-damaged")))


def test_a_recorded_example_that_is_damaged_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    (tmp_path / "de-en" / "example.npz").write_bytes(b"PK")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    assert shown(visit("start"))[0] == KINO


@in_turn("page", [name for name, page in page_list.pages().items() if page.needs != "nothing"])
def test_without_checkpoints_a_page_says_how_to_make_one(
    page: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path if language == "en" else tmp_path / "missing"
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))
    assert said(visit(page, language)) == [sentence(language, "notice.no_checkpoints")]
