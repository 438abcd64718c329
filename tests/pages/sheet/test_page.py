"""The page of the whole model: it opens for every kind of model, and a link that cannot be followed says so."""

import re

import pytest

from model.checkpoint import catalogue
from pages.shared.text.words import all_texts
from pages.sheet import page_of_part
from pages.sheet.source import SheetRequest, find, token
from tests.app import click, keys, visit
from tests.samples import in_turn


def said(app) -> str:
    return " ".join(
        element.value for element in [*app.main.markdown, *app.main.text, *app.main.warning, *app.main.info]
    )


@in_turn("checkpoint", ["de-en", "mini-encoder", "gpt-char", "notebook-c", "reverse-post-norm"])
def test_it_opens_for_every_architecture(checkpoint: str, language: str) -> None:
    app = visit("sheet", language, checkpoint=checkpoint)
    assert app.title[0].value == all_texts(language)["sheet.question"]
    assert all_texts(language)["notice.unforeseen"] not in said(app)


@pytest.mark.parametrize(
    "link",
    [
        {"camera": "1,2"},
        {"camera": "a,b,c"},
        {"camera": "0.5,0.5,0"},
        {"cell": "x"},
        {"cell": "logits,-1,0"},
        {"film": "-1"},
    ],
)
def test_a_link_to_nowhere_is_answered(link: dict[str, str]) -> None:
    assert next(iter(link.values())) in said(visit("sheet", "en", **link))


def test_the_pass_under_changes_can_be_compared(warm: None) -> None:
    app = visit("sheet", "en", changes="off:cross.1.0", shown="difference")
    assert "Switch off cross-attention · layer 1 · head 0" in said(app)
    assert app.main.button_group(key="shown").value == "difference"
    padded = visit("sheet", "en", changes="unmask:3")
    assert all_texts("en")["sheet.padding"] in said(padded)


def test_changes_arrive_from_the_page_on_which_they_were_made(warm: None) -> None:
    app = click(visit("intervene", "en", changes="off:cross.1.2"), "on_sheet")
    assert app.title[0].value == all_texts("en")["sheet.question"]
    assert "Switch off cross-attention · layer 1 · head 2" in said(app)
    assert app.main.button_group(key="shown").value == "difference"
    assert "Switch off" not in said(click(visit("sheet", "en", changes="off:cross.1.2"), "clear_changes"))
    padded = visit("intervene", "en", changes="unmask:3")
    assert "on_sheet" not in keys(padded)


@pytest.mark.parametrize("checkpoint", ["de-en", "gpt-char", "mini-encoder"])
def test_every_part_has_a_page_and_a_sentence(checkpoint: str) -> None:
    entry = catalogue.find(checkpoint)
    result = find(token(SheetRequest(entry, entry.card["examples"][0])))
    assert result
    texts = all_texts("en")
    for part in result.sheet.parts.values():
        role = part.role.replace(".", "_")
        assert texts[f"sheet_role.{role}"]
        page, choices = page_of_part.door(part.name, role)
        assert page in ("attention", "embedding", "position", "layers", "decoding"), part.name
        if page == "attention":
            number = re.search(r"\[(\d)\]", part.name)
            assert choices["head"] == (int(number[1]) if number else 0)
