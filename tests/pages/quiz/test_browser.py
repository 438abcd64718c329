"""The quiz in a browser: answered by keys, on a phone, and what a reload keeps."""

from typing import Any

from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible, has_address, idle

EN = all_texts("en")


def test_keys_answer_and_go_on(visit: Visits) -> None:
    page = visit.again("/quiz?question=permute&numbers=7")
    right = page.locator(".st-key-option_right button")
    expect(right).to_contain_text(EN["quiz_permute.option_right"])
    page.keyboard.press((right.text_content() or "").strip()[-1])
    expect(page.locator(".st-key-figure_question")).to_contain_text(EN["quiz_permute.why"])
    idle(page)
    page.keyboard.press("n")
    has_address(page, question="shape_scores")


def test_a_phone_shows_number_keys_and_no_hints_of_keys_that_it_lacks(visit: Visits) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    page = visit.again("/quiz?question=lookup&numbers=7", **phone)
    field = page.locator(".st-key-typed_number input")
    field.tap()
    expect(field).to_have_attribute("inputmode", "decimal")
    expect(page.locator(".st-key-next button")).to_contain_text(EN["quiz.next"])
    expect(page.locator("kbd:visible")).to_have_count(0)


def test_a_prediction_is_answered_in_its_row_or_by_a_button(visit: Visits) -> None:
    page = visit.again("/quiz?checkpoint=reverse&show=predict&predict=where&numbers=7")
    row, buttons = page.locator(".gf-weight-row"), page.locator("[class*=st-key-answer_] button")
    reveal = page.locator(".st-key-prediction_reveal button").first  # disabled, it stands twice: with its tooltip
    row.locator("label").nth(2).locator("i").click()
    expect(buttons.nth(2)).to_have_attribute("aria-checked", "true")
    buttons.nth(1).click()
    expect(row.get_by_role("radio").nth(1)).to_be_checked()
    idle(page)
    row.get_by_role("radio").nth(1).press("ArrowRight")
    expect(buttons.nth(2)).to_have_attribute("aria-checked", "true")
    idle(page)
    accessible(page, "with a row to answer in")
    expect(row.locator("b")).to_have_count(0)
    page.locator("[class*=st-key-sure_] button").first.click()
    expect(reveal).to_be_enabled()
    reveal.click()
    expect(row.locator("li").nth(2)).to_have_attribute("data-mine", "true")
    weights = [float(each) for each in row.locator("b").all_inner_texts()]
    right = row.locator("li").evaluate_all("nodes => nodes.findIndex((node) => node.dataset.right === 'true')")
    assert weights.index(max(weights)) == right


def test_a_reload_keeps_the_answers_and_the_numbers(visit: Visits) -> None:
    page = visit("/quiz?question=wavelength")
    page.locator(".st-key-hint button").click()
    idle(page)
    page.locator(".st-key-tell button").click()
    score = page.locator(".st-key-figure_score")
    expect(score).to_contain_text(EN["quiz.score_all"].format(right=0, answered=1))
    idle(page)
    before = [page.locator(f".st-key-{part}").inner_text() for part in ("figure_question", "figure_score")]
    page.reload()
    expect(score).to_contain_text(EN["quiz.score_all"].format(right=0, answered=1))
    idle(page)
    assert [page.locator(f".st-key-{part}").inner_text() for part in ("figure_question", "figure_score")] == before
    other = visit("/quiz?question=wavelength")
    expect(other.locator(".st-key-figure_score")).to_contain_text(EN["quiz.score_none"])
