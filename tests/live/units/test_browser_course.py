"""The course on a learning platform: what it is told at the start, on the way, and at the end."""

import json
import math

import pytest
from playwright.sync_api import expect

from live.lessons import STEPS
from live.texts import texts
from tests.browser import PATIENCE, accessible
from tests.live.conftest import Open
from tests.live.test_browser_train import BEGUN, LATER
from tests.live.units.learner import Learner

TEXTS = {language: texts(language, "unit/course.js") for language in ("en", "zh")}
CASES = [("1.2", "zh"), ("2004", "en")]


class CourseTaker(Learner):
    """Someone who takes the course."""

    def __init__(self, open_page: Open, platform: str, language: str, version: str) -> None:
        super().__init__(open_page, platform, "course", language, version)
        self.words = TEXTS[language]
        self.steps = self.data()["steps"]

    def answers(self, step: str, rightly: bool = True) -> None:
        expect(self.unit.locator(".text h2")).to_have_text(self.words[f"course_{step}.title"])
        right = self.steps[step]["question"]["right"]
        self.unit.locator(".option").nth(right if rightly else right - 1).click()
        expect(self.unit.locator(".below .verdict.right" if rightly else ".below .verdict.wrong")).to_be_visible()

    def steps_on(self) -> None:
        self.unit.get_by_role("button", name=self.words["course.next"], exact=True).click()


@pytest.mark.sample(2)
@pytest.mark.parametrize(("version", "language"), CASES)
def test_who_answers_every_question_has_completed(open_page: Open, platform: str, version: str, language: str) -> None:
    taker = CourseTaker(open_page, platform, language, version)
    expect(taker.unit.locator(".status")).to_have_text(taker.words["unit.saved"])
    assert taker.completion == "incomplete"
    taker.answers("lookup", rightly=False)
    taker.answers("lookup")
    taker.steps_on()
    taker.answers("vectors")
    taker.steps_on()
    assert taker.completion == "incomplete"
    assert math.isnan(taker.score)  # none yet

    taker.come_back()
    assert taker.place == "position"
    expect(taker.unit.get_by_role("radio", name=f"✓ {taker.words['course_lookup.short']}")).to_be_attached()
    for step in STEPS[2:-1]:
        taker.answers(step)
        taker.steps_on()
    expect(taker.unit.locator(".text h2")).to_have_text(taker.words["course_explain.title"])
    assert taker.completion == "completed"
    assert taker.score == 90
    assert [each["id"] for each in taker.noted] == list(STEPS[:-1])
    assert [each["result"] for each in taker.noted].count("correct") == 9
    if version == "2004":
        assert taker.success == "unknown"
    taker.unit.locator("#explanation").fill("It looked at 看.")
    taker.unit.locator("#explanation").blur()
    comment = "cmi.comments" if version == "1.2" else "cmi.comments_from_learner.0.comment"
    assert taker.known(comment) == "It looked at 看."

    taker.come_back()
    assert taker.completion == "completed"
    assert taker.unit.locator("#explanation").input_value() == "It looked at 看."
    expect(taker.unit.locator(".verdict.right")).to_contain_text(taker.words["unit.complete"])
    expect(taker.unit.locator(".verdict.right")).to_contain_text(taker.words["unit.reported"])


def test_the_model_runs_in_the_course(open_page: Open, platform: str) -> None:
    page = open_page(f"{platform}/course-en-scorm12/index.html")
    words = TEXTS["en"]
    expect(page.locator(".status")).to_have_text(words["unit.problem_none"])
    accessible(page)
    page.get_by_role("radio", name=f"9 {words['course_writing.short']}").check()
    live = page.frame_locator("iframe")
    expect(live.locator("body[data-ready]")).to_be_attached(timeout=PATIENCE)
    live.locator(".gf-candidate", has_text="We'll").first.click()
    expect(live.locator("[data-output]")).to_have_attribute("data-output", "We'll go to the cinema today.")

    page.get_by_role("radio", name=f"11 {words['course_explain.short']}").check()
    page.get_by_label(words["frame.sentence"], exact=True).fill("Wo ist das Buch?")
    page.get_by_label(words["frame.sentence"], exact=True).press("Enter")
    expect(live.locator('[data-output="Where\'s the book?"]')).to_be_attached(timeout=PATIENCE)
    page.get_by_role("radio", name=words["pages.attention"], exact=True).check()
    expect(live.locator("html[data-page=attention]")).to_be_attached()


def test_the_figures_of_the_course_are_those_of_the_model(open_page: Open, platform: str) -> None:
    page = open_page(f"{platform}/course-en-scorm12/index.html", color_scheme="dark")
    words = TEXTS["en"]
    page.get_by_role("slider").fill("0")
    expect(page.locator(".gf-weights .gf-number")).to_have_text(["0.125"] * 8)
    page.locator(".gf-term").first.click()
    expect(page.locator(".gf-definition:popover-open")).to_be_visible()
    page.get_by_role("radio", name=f"3 {words['course_position.short']}").check()
    expect(page.locator(".written")).to_have_text(["Sara is taller than Tom.", "Tom is taller than Sara."])
    page.get_by_role("switch").check()
    expect(page.locator(".written")).to_have_text(["Tom is taller than Sara."] * 2)
    page.get_by_role("radio", name=f"6 {words['course_mask.short']}").check()
    expect(page.get_by_text(words["course_mask.later"].format(share="0.00"))).to_be_visible()
    page.get_by_role("switch").check()
    expect(page.get_by_text(words["course_mask.later"].format(share="0.00"))).to_have_count(0)
    page.get_by_role("radio", name=f"8 {words['course_cross.short']}").check()
    expect(page.locator(".gf-architecture[data-ready] .block")).to_have_count(10)
    expect(page.locator(".written")).to_have_text("We're going to the cinema today.")
    page.get_by_role("switch").check()
    expect(page.locator(".written")).not_to_have_text("We're going to the cinema today.")
    page.get_by_role("radio", name=f"10 {words['course_learning.short']}").check()
    page.get_by_role("slider").fill("11")
    expect(page.locator(".written")).to_have_text("We're going to the cinema today.")
    page.get_by_role("radio", name=f"4 {words['course_head.short']}").check()
    ground = page.locator(".gf-attention .gf-card").first.evaluate("node => getComputedStyle(node).backgroundColor")
    assert max(map(int, ground[4:-1].split(","))) < 64  # as dark as the page


@pytest.mark.sample(2)
@pytest.mark.parametrize(("version", "language"), CASES[::-1])
def test_the_platform_is_told_what_was_right_before_and_after(
    open_page: Open, platform: str, version: str, language: str
) -> None:
    taker = CourseTaker(open_page, platform, language, version)
    words, forms = taker.words, taker.data()["test"]
    texts = {words[f"learning_items.{each['id']}_text"]: each for questions in forms.values() for each in questions}
    offer = taker.unit.locator(".before-after")

    def answer(phase: str, right: bool) -> set[str]:
        offer.locator("summary").click()
        if phase == "before":
            offer.get_by_role("button", name=words["lesson_test.decline"], exact=True).click()
            expect(offer).not_to_have_attribute("open", "")  # nothing is asked
            offer.locator("summary").click()
            offer.get_by_role("button", name=words["lesson_test.agree"], exact=True).click()
        asked = []
        for number in range(6):
            expect(offer.locator(".caption")).to_have_text(
                words["lesson_test.count"].format(number=number + 1, count=6)
            )
            question = texts[offer.locator("legend").inner_text()]
            asked.append(question["id"])
            offer.get_by_role("radio").nth(question["right"] if right else 4).check()
            last = "finish" if number == 5 else "next"
            offer.get_by_role("button", name=words[f"lesson_test.{last}"], exact=True).click()
        return set(asked)

    before = answer("before", right=False)
    expect(offer).to_contain_text(words["lesson_test.thanks"])
    taker.come_back()
    taker.unit.get_by_role("radio", name=f"11 {words['course_explain.short']}").check()
    after = answer("after", right=True)
    expect(offer).to_contain_text(words["lesson_test.result"].format(before=0, after=6, count=6))
    assert not before & after
    assert [taker.known(f"cmi.objectives.{at}.id") for at in range(2)] == ["test-before", "test-after"]
    assert [float(taker.known(f"cmi.objectives.{at}.score.raw")) for at in range(2)] == [0, 100]
    assert [each["result"] for each in taker.noted].count("correct") == 6
    assert taker.completion == "incomplete"  # the test is no part of the course's score


def test_the_platform_is_told_what_the_learner_says_of_a_training(open_page: Open, platform: str) -> None:
    taker = CourseTaker(open_page, platform, "en", "1.2")
    words, live = taker.words, texts("en")
    taker.unit.get_by_role("radio", name=f"10 {words['course_learning.short']}").check()
    taker.unit.get_by_role("button", name=words["unit_train.open"], exact=True).click()
    training = taker.unit.frame_locator("iframe.live")
    things = taker.unit.locator(".todo li")

    def press(key: str) -> None:
        training.get_by_role("button", name=live[key], exact=True).first.click(timeout=2 * PATIENCE)

    def learns() -> None:
        expect(training.locator(".panel")).to_have_attribute("data-step", LATER, timeout=2 * PATIENCE)
        press("train.pause")
        expect(training.locator(".panel:not([data-busy])")).to_be_attached()

    press("train.start")
    learns()
    expect(things.first).to_contain_text(words["unit_train.learn"])
    assert taker.noted == []
    training.get_by_role("radio", name="50%", exact=True).check()
    training.get_by_role("button", name=live["live_train.more"]).click()
    asked = training.locator("section", has_text=live["live_train.question"])
    asked.get_by_role("button", name=live["live_train.again"], exact=True).click()
    training.locator(BEGUN).wait_for(state="attached")
    learns()
    training.get_by_role("button", name=live["live_train.cause_change"]).click()
    expect(taker.unit.locator(".todo [data-done=true]")).to_have_count(3)  # all but to learn it well
    came_true = "right" in (asked.locator(".verdict").first.get_attribute("class") or "")
    assert [(each["id"], each["student_response"], each["result"]) for each in taker.noted] == [
        ("train-guess", "c", "correct" if came_true else "wrong"), ("train-cause", "a", "correct"),
    ]  # fmt: skip
    assert taker.known("cmi.objectives.0.id") == "train"
    assert float(taker.known("cmi.objectives.0.score.raw")) == (100 if came_true else 50)
    assert taker.completion == "incomplete"  # the training is no part of the course's score
    kept = taker.known("cmi.suspend_data")
    assert len(json.dumps(json.loads(kept)["training"])) < 150

    taker.come_back()
    expect(taker.unit.locator(".todo [data-done=true]")).to_have_count(3)
    assert len(taker.noted) == 2
