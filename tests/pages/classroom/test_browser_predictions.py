"""Predictions in a class in the browser: asked in two clicks, answered, revealed on the board."""

import re

import pytest
from playwright.sync_api import Page, expect

from pages.shared.text.words import all_texts
from tests.browser import EN, Visits, accessible, idle, path
from tests.pages.classroom.test_browser import PHONE, bar, joined, started

ZH = all_texts("zh")
VIEW = {"checkpoint": "es-en", "sentence": "Hoy vamos al cine.", "attention_kind": "cross", "layer": 1, "head": 3}


def ask(presenting: Page, kind: str) -> None:
    """The two clicks."""
    presenting.get_by_role("button", name=EN["predict.ask"]).click()
    presenting.get_by_role("button", name=EN[f"predict_kinds.{kind}"], exact=True).click()
    idle(presenting)


def answer(student: Page, sure: int, *, word: int = -1, percent: int = -1, language: str = "en") -> None:
    words = all_texts(language)
    line = student.locator(".gf-class-bar")
    if word >= 0:
        line.locator(".gf-choices").first.locator("label").nth(word).click()
    else:
        slider = line.get_by_label(words["predict_line.predict_slider"])
        slider.fill(str(percent))
    line.get_by_text(words[f"predict_sure.sure_{sure}"], exact=True).click()
    line.get_by_role("button", name=words["class_bar.send"], exact=True).click()


def test_a_prediction_is_asked_answered_and_revealed(visit: Visits) -> None:
    teacher, link = started(visit)
    ada, li = joined(visit, link, "Ada"), joined(visit, link, language="zh", **PHONE)
    presenting = teacher.context.new_page()
    presenting.goto(teacher.url.split("/class")[0] + path("attention", **VIEW))
    idle(presenting)
    ask(presenting, "where")
    for student, words in ((ada, EN), (li, ZH)):
        kind = words["quiz_figure.kind_cross"]
        expect(student.locator(".gf-question")).to_contain_text(kind)
        expect(student.locator(".gf-question")).to_contain_text(re.compile("1.*3"))
        expect(student.locator(".gf-words label")).to_have_count(7)
    accessible(ada, "of a student who predicts")
    accessible(li, "of a student who predicts on a phone")
    bar(ada, EN["class_bar.send"]).click()
    expect(ada.locator(".gf-problem")).to_have_text(EN["predict_line.predict_choose"])
    ada.locator(".gf-words label").nth(1).click()
    ada.reload()  # what is chosen stays
    expect(ada.locator(".gf-words input").nth(1)).to_be_checked()
    answer(ada, 4, word=1)
    answer(li, 1, word=2, language="zh")
    board = teacher.locator(".gf-asked")
    expect(board.locator(".gf-bars b")).to_have_text(["0", "1", "1", "0", "0", "0", "0"])
    for hidden in (board, ada.locator(".gf-task")):
        expect(hidden).not_to_contain_text("✓")
        expect(hidden).not_to_contain_text(re.compile(r"[Mm]easured: “|measured:"))
    expect(ada.locator(".gf-task")).to_contain_text(EN["predict_line.predict_waits"])

    board.get_by_role("button", name=EN["predict_board.predict_reveal"], exact=True).click()
    expect(board.locator("li[data-right=true]")).to_have_count(1)
    key = board.locator("li[data-right=true] span").first.inner_text().removeprefix("✓ ")
    expect(ada.locator(".gf-measured")).to_contain_text(EN["predict_line.predict_measured"].format(answer=key))
    expect(li.locator(".gf-measured")).to_contain_text(ZH["predict_line.predict_measured"].format(answer=key))
    expect(board).to_contain_text(EN["predict_board.predict_sure_title"])
    expect(teacher.locator(".gf-predictions")).to_contain_text(EN["predict_board.predict_title"].format(answers=2))
    accessible(teacher, "of a board with predictions")

    ask(presenting, "how_sure")
    answer(ada, 2, percent=50)
    answer(li, 2, percent=97, language="zh")
    expect(board.locator(".gf-bars b")).to_have_text(["0"] * 5 + ["1"] + ["0"] * 3 + ["1"])
    board.get_by_role("button", name=EN["predict_board.predict_reveal"], exact=True).click()
    expect(board.locator("small").first).to_contain_text(re.compile(r"measured: \d+%"))
    ada.get_by_role("button", name=EN["predict_line.predict_hide"], exact=True).click()
    expect(ada.locator(".gf-task")).to_be_empty()
    presenting.goto(teacher.url.split("/class")[0] + path("quiz", **VIEW, show="predict", numbers=7))
    idle(presenting).locator(".st-key-ask_prediction button").click()
    expect(idle(ada).locator(".gf-words")).to_be_visible()
    accessible(presenting, "of the quiz with a prediction")
    presenting.close()


@pytest.mark.thorough
def test_the_keyboard_answers_a_prediction(visit: Visits) -> None:
    teacher, link = started(visit)
    ada = joined(visit, link, "Ada")
    presenting = teacher.context.new_page()
    presenting.goto(teacher.url.split("/class")[0] + path("attention", **VIEW))
    idle(presenting)
    ask(presenting, "where")
    ada.locator(".gf-words input").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Tab", "ArrowRight", "Tab", "Enter"):
        ada.keyboard.press(key)
    expect(ada.locator(".gf-mine").last).to_contain_text(re.compile(r"\S"))
    expect(teacher.locator(".gf-asked .gf-bars b").nth(2)).to_have_text("1")
    presenting.close()
