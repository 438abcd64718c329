"""A student of a class on a live page of the server, which has only our routes: no page of the app, and no model."""

import gzip
import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect
from starlette.middleware import Middleware

from classroom import keys
from classroom.classrooms import Classrooms, Membership
from classroom.watch import Watch
from live.texts import texts
from pages.shared.classroom import my_class
from pages.shared.models import live_files
from pages.shared.server.cookie import UserCookie
from pages.shared.server.routes import class_routes, live_route
from pages.shared.text.words import all_texts
from tests.browser import EN, PATIENCE, accessible
from tests.live.conftest import Open, open_page
from tests.node import hosted
from tests.samples import either_language

__all__ = ["open_page"]
TEACHER = keys.key_of("teacher of a live page")
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def address(store: Classrooms) -> Iterator[str]:
    with hosted([*live_route.ROUTES, *class_routes.ROUTES], [Middleware(UserCookie)]) as address:
        yield address


@pytest.fixture
def teacher(store: Classrooms) -> Membership:
    return store.create(TEACHER, "Attention")


def join(page: Page, words: dict[str, str] = EN) -> None:
    page.get_by_role("button", name=words["class.join"], exact=True).click()
    expect(page.locator(".gf-class-bar[data-ready]")).to_be_visible(timeout=PATIENCE)


def bar(page: Page, name: str):  # type: ignore[no-untyped-def]
    return page.locator(".gf-class-bar").get_by_role("button", name=name, exact=True)


def board(store: Classrooms, teacher: Membership) -> dict:
    snapshot = my_class.watch().look(teacher.classroom, board=True)
    assert snapshot is not None
    return snapshot.board


@either_language
def test_a_student_joins_follows_types_and_answers(
    store: Classrooms, teacher: Membership, address: str, open_page: Open, language: str
) -> None:
    words = all_texts(language)
    locale = "zh-CN" if language == "zh" else "en"
    page = open_page(f"{address}/live/reverse/?class={teacher.code}", locale=locale, **PHONE)
    page.get_by_label(words["class.nickname"], exact=True).fill("Ada")
    join(page, words)
    expect(page.locator("body")).to_have_attribute("data-ready", "reverse", timeout=PATIENCE)
    accessible(page, "in the class")
    expect(page.locator(".gf-code")).to_have_text(f"Attention · {keys.spelled(teacher.code)}")

    # a view that is here opens here, with its settings and the text of the lesson
    view = "attention?checkpoint=reverse&sentence=fed&attention_kind=cross&layer=0&head=1"
    store.show(teacher, view, {language: "Look"})
    expect(page.locator("[data-output]")).to_have_attribute("data-output", "def")
    expect(page.locator(".gf-attention")).to_have_attribute("data-locked-head", "1")
    expect(page.locator("h1")).to_have_text(words["attention.question"])
    expect(page.locator(".gf-says")).to_have_text("Look")
    expect(bar(page, words["class_bar.following"])).to_have_attribute("aria-pressed", "true")

    # one that the page lacks opens in the app, by a link
    store.show(teacher, "circuits?checkpoint=induction")
    store.count_down(teacher, 2)
    link = page.locator(".gf-only a")
    expect(link).to_have_attribute("href", "/circuits?checkpoint=induction")
    expect(link).to_have_text(words["class_bar.to_app"])
    expect(page.locator(".gf-left")).to_have_text(re.compile(r"[12]:\d\d"))
    expect(page.locator("h1")).to_have_text(words["attention.question"])

    # to open another view is to go one's own way; the teacher's next one does not take them along
    page.get_by_role("tab", name=words["pages.decoding"], exact=True).click()
    expect(bar(page, words["class_bar.follow"])).to_have_attribute("aria-pressed", "false")
    store.show(teacher, "masks?checkpoint=reverse")
    page.get_by_label(words["frame.sentence"], exact=True).fill("cab")
    page.get_by_label(words["frame.sentence"], exact=True).press("Enter")
    expect(page.locator("[data-output]")).to_have_attribute("data-output", "bac")
    expect(page.locator("h1")).to_have_text(words["decoding.question"])
    page.wait_for_function("() => sessionStorage.getItem('gf-class-unsent') === '[]'")
    [sentence] = board(store, teacher)["sentences"]
    assert (sentence["checkpoint"], sentence["text"], sentence["output"]) == ("reverse", "cab", "bac")
    assert sentence["picture"]["own"]  # computed on the student's device, and said to be
    bar(page, words["class_bar.follow"]).click()
    expect(page.locator("h1")).to_have_text(words["masks.question"])

    # a question, by the keyboard alone
    store.ask(teacher, "choice", "Which?", [("one", "one"), ("two", "two")])
    option = page.get_by_role("button", name="two", exact=True)
    expect(option).to_be_visible()
    accessible(page, "with a question")
    option.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".gf-mine")).to_have_text(words["class_bar.mine"].format(answer="two"))
    assert board(store, teacher)["asked"]["answers"] == [["two", 1, None]]

    # after a reload they are still in the class; at its end they are told
    page.reload()
    expect(page.locator(".gf-mine")).to_be_visible()
    store.end(teacher)
    expect(page.locator(".gf-here")).to_have_text(words["class_bar.ended"])


def test_who_comes_before_the_page_is_made_waits_and_gets_it_by_itself(
    teacher: Membership, address: str, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    making = Future[live_files.Files]()
    monkeypatch.setattr(live_files, "files", lambda entry: making)
    monkeypatch.setattr(live_route, "_AT_ONCE", 0.1)
    page = open_page(f"{address}/live/reverse/?class={teacher.code}#train?task=reverse", locale="es", **PHONE)
    expect(page.get_by_role("status")).to_have_text(all_texts("es")["notice.live_soon"])
    accessible(page, "before the page is made")
    page_made = gzip.compress(b'<!doctype html><link rel="icon" href="data:,"><h1>made</h1>')
    making.set_result({"index.es.html": live_files.File(page_made, '"tag"')})
    expect(page.locator("h1")).to_have_text("made")
    assert page.url.endswith(f"?class={teacher.code}#train?task=reverse")


def test_the_curve_of_a_training_goes_to_the_board(
    store: Classrooms, teacher: Membership, address: str, open_page: Open
) -> None:
    """And nothing else: not a word of the data."""
    page = open_page(f"{address}/live/reverse/?class={teacher.code}#train?task=reverse", **PHONE)
    join(page)
    expect(page.locator(".lead")).to_have_text(texts("en")["live_class.train_lead"])

    def is_curve(answer: Response) -> bool:
        return '"train"' in (answer.request.post_data or "")

    with page.expect_response(is_curve, timeout=2 * PATIENCE) as answer:
        page.get_by_role("button", name=EN["train.start"], exact=True).click(timeout=PATIENCE)
    assert answer.value.ok
    sent = json.loads(answer.value.request.post_data or "")
    assert set(sent) == {"do", "task", "step", "steps", "changed", "points"}
    [curve] = board(store, teacher)["trainings"]
    assert (curve["task"], curve["steps"], curve["changed"]) == ("reverse", 600, False)
    assert [at for at, *_ in curve["points"][:2]] == [0, 30]
    assert curve["points"][1][1] < curve["points"][0][1]  # it has learned


def test_no_answer_is_lost_while_the_network_is_gone(
    store: Classrooms, teacher: Membership, address: str, browser: Browser
) -> None:
    """For more than a minute, and over a reload of the page; at first a network answers that asks for a log-in."""
    page = browser.new_page(locale="en")
    page.clock.install()
    page.goto(f"{address}/live/reverse/?class={teacher.code}")
    join(page)
    store.ask(teacher, "text", "Why?")
    lost: list[str] = []
    is_gone = threading.Event()
    is_gone.set()

    def lose(route: Route) -> None:
        if route.request.method != "POST" or not is_gone.is_set():
            return route.continue_()
        lost.append(json.loads(route.request.post_data or "{}")["text"])
        return route.abort() if len(lost) > 1 else route.fulfill(body="<html>Log in</html>")

    page.route("**/room?*", lose)
    page.get_by_label(EN["class_bar.answer"], exact=True).fill("so")
    bar(page, EN["class_bar.send"]).click()
    for _ in range(12):  # each time the next try is waited for
        page.clock.run_for(6_000)
    assert len(lost) > 4
    expect(page.locator(".gf-problem")).to_have_text(EN["class_bar.waiting"])
    page.reload()
    expect(page.locator(".gf-class-bar[data-ready]")).to_be_visible()
    is_gone.clear()
    page.clock.run_for(6_000)
    expect(page.locator(".gf-mine")).to_have_text(EN["class_bar.mine"].format(answer="so"))
    assert board(store, teacher)["asked"]["answers"] == [["so", 1, None]]
    page.context.close()


def test_who_leaves_takes_along_what_they_did(
    store: Classrooms, teacher: Membership, address: str, browser: Browser
) -> None:
    page = browser.new_page(locale="en")
    page.goto(f"{address}/live/reverse/?class=ZZZ-ZZZ")
    page.get_by_role("button", name=EN["class.join"], exact=True).click()
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("no class with this code")
    accessible(page, "at the entrance")
    page.get_by_label(EN["class.code"], exact=True).fill(teacher.code)
    join(page)
    page.once("dialog", lambda dialog: dialog.accept())
    bar(page, EN["class_bar.to_class"]).click()
    expect(page.locator(".class-panel .notice")).to_contain_text("You have left the class")
    snapshot = Watch(store).look(teacher.classroom)
    assert snapshot is not None
    assert set(snapshot.members) == {teacher.member}
    page.context.close()
