"""The quiz on a learning platform: what it is told at the start, on the way, and at the end."""

import json
import math
from typing import Any

import pytest
from playwright.sync_api import expect

from live.texts import texts
from live.units.packages import VERSIONS
from tests.browser import accessible
from tests.live.conftest import Open
from tests.live.units.learner import Learner

TEXTS = {language: texts(language, "unit/quiz.js") for language in ("en", "zh")}
CASES = [("1.2", "en"), ("2004", "zh")]


class QuizTaker(Learner):
    """Someone who takes the quiz."""

    def __init__(self, open_page: Open, platform: str, language: str, version: str) -> None:
        super().__init__(open_page, platform, "quiz", language, version)
        self.words = TEXTS[language]
        self.questions = {each["name"]: each["draws"] for each in self.data()["questions"]}

    def asked(self) -> list[Any]:
        """The questions of this round, [name, draw, …]: the platform knows them from the first step on."""
        self.step_on()
        self.step_back()
        return list(json.loads(self.known("cmi.suspend_data"))["round"])

    def step_on(self) -> None:
        self.unit.locator("nav.ways button").last.click()

    def step_back(self) -> None:
        self.unit.locator("nav.ways button").first.click()

    def press(self, key: str) -> None:
        self.unit.get_by_role("button", name=self.words[key], exact=True).click()

    def gives_up(self) -> None:
        self.press("quiz.hint")
        self.press("quiz.tell")

    def answers_rightly(self, name: str, draw: int) -> None:
        asked = self.questions[name][draw]
        if asked["kind"] == "choice":
            self.unit.locator(".option").nth(asked["options"].index(asked["key"])).click()
        elif asked["kind"] == "steps":
            self.unit.get_by_role("slider").fill(str(asked["options"].index(asked["key"])))
            self.press("quiz.check")
        elif asked["kind"] == "head":
            kind, layer, head = asked["key"][0].split("/")
            self.unit.locator(f".gf-tile[data-kind={kind}][data-layer='{layer}'][data-head='{head}']").click()
            self.press("quiz.this_head")
        else:
            self.unit.get_by_role("textbox").fill(asked["solution"])
            self.press("quiz.check")
        expect(self.unit.locator(".verdict.right")).to_be_visible()


@pytest.mark.sample(2)
@pytest.mark.parametrize(("version", "language"), CASES[::-1])
def test_who_answers_rightly_has_passed(open_page: Open, platform: str, version: str, language: str) -> None:
    taker = QuizTaker(open_page, platform, language, version)
    expect(taker.unit.locator("html")).to_have_attribute("lang", {"en": "en", "zh": "zh-CN"}[language])
    expect(taker.unit.locator(".status")).to_have_text(taker.words["unit.saved"])
    assert taker.completion == "incomplete"
    asked = taker.asked()
    assert len(asked) == 11
    for name, draw, *_ in asked[:3]:
        taker.answers_rightly(name, draw)
        taker.step_on()
    taker.gives_up()
    assert taker.completion == "incomplete"
    assert math.isnan(taker.score)  # none yet

    taker.come_back()
    assert taker.place == "3"
    expect(taker.unit.locator(".gf-strip .gf-first")).to_have_count(3)
    expect(taker.unit.locator(".verdict.told")).to_be_visible()
    for name, draw, *_ in asked[4:]:
        taker.step_on()
        taker.answers_rightly(name, draw)
    taker.step_on()
    expect(taker.unit.locator(".verdict")).to_contain_text(taker.words["unit.passed"])
    expect(taker.unit.locator(".verdict")).to_contain_text(taker.words["unit.reported"])
    assert taker.completion == ("passed" if version == "1.2" else "completed")
    assert taker.success == "passed"
    assert taker.score == pytest.approx(100 * 10 / 11, abs=0.01)
    results = [each["result"] for each in taker.noted]
    assert len(results) == 11
    assert results.count("correct") == 10

    taker.come_back()
    assert taker.success == "passed"
    expect(taker.unit.locator(".points")).to_be_visible()


@pytest.mark.sample(2)
@pytest.mark.parametrize("version", VERSIONS)
def test_who_fails_may_try_again_and_the_best_result_counts(open_page: Open, platform: str, version: str) -> None:
    taker = QuizTaker(open_page, platform, "en", version)
    for _ in range(11):
        taker.gives_up()
        taker.step_on()
    assert taker.success == "failed"
    assert taker.score == 0
    taker.press("unit.again")
    for name, draw, *_ in taker.asked():
        taker.answers_rightly(name, draw)
        taker.step_on()
    assert taker.success == "passed"
    assert taker.score == 100
    taker.press("unit.again")
    for _ in range(11):
        taker.gives_up()
        taker.step_on()
    assert taker.success == "passed"
    assert taker.score == 100


def test_a_wrong_answer_is_explained_and_one_that_cannot_be_read_does_not_count(open_page: Open, platform: str) -> None:
    taker = QuizTaker(open_page, platform, "en", "2004")
    typed = next(
        (
            at
            for at, (name, draw, *_) in enumerate(taker.asked())
            if taker.questions[name][draw]["kind"] in ("number", "shape")
        )
    )
    for _ in range(typed):
        taker.step_on()
    field = taker.unit.get_by_role("textbox")
    field.fill("many")
    taker.press("quiz.check")
    expect(taker.unit.locator(".notice")).to_contain_text("many")
    assert taker.noted == []
    field.fill("987654")
    taker.press("quiz.check")
    expect(taker.unit.locator(".verdict.wrong")).to_contain_text("987654")
    taker.unit.get_by_role("button", name="中文").click()
    expect(taker.unit.locator(".verdict.wrong")).to_contain_text("987654")
    expect(taker.unit.locator("h1")).to_have_text(TEXTS["zh"]["unit.quiz_heading"])
    assert [each["learner_response"] for each in taker.noted] == ["987654"]


def test_without_a_platform_the_quiz_works_and_says_that_nothing_is_reported(open_page: Open, platform: str) -> None:
    page = open_page(f"{platform}/quiz-en-scorm12/index.html")
    expect(page.locator(".status")).to_have_text(TEXTS["en"]["unit.problem_none"])
    page.get_by_role("button", name=TEXTS["en"]["quiz.hint"], exact=True).click()
    page.get_by_role("button", name=TEXTS["en"]["quiz.tell"], exact=True).click()
    expect(page.locator(".verdict.told")).to_be_visible()
    accessible(page)
