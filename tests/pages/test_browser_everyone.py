"""The app for everyone: languages, odd input, axe, and a phone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.checkpoint.catalogue import Entry
from pages.shared.session import page_list
from pages.shared.text.words import all_texts
from tests.browser import (
    PATIENCE,
    Visits,
    accessible,
    figure,
    has_address,
    idle,
    path,
    run,
    small,
    speak,
    tokens,
    type_sentence,
)
from tests.files import READ, download
from tests.samples import BUCH, KINO, MARKUP, SAMPLES

EN, ZH = all_texts("en"), all_texts("zh")

CHINESE = Entry(SAMPLES / "zh-en").card


# language


def test_the_browser_s_language_comes_first_and_can_be_switched(visit: Visits) -> None:
    page = visit("/", locale="zh-CN")
    expect(page.locator("h1")).to_have_text(ZH["start.question"])
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    speak(page, "en")
    expect(page.locator("h1")).to_have_text(EN["start.question"])
    expect(page.locator("html")).to_have_attribute("lang", "en")
    has_address(page, language="en")
    idle(page)
    page.reload()
    expect(page.locator("h1")).to_have_text(EN["start.question"])
    idle(page)


def test_a_chinese_browser_begins_in_chinese_and_one_click_leads_out_of_the_wrong_language(visit: Visits) -> None:
    page = visit("/", locale="zh-CN")
    example, *_ = CHINESE["examples"]
    has_address(page, checkpoint="zh-en")
    expect(page.locator(".st-key-source")).to_have_text(example)
    expect(page.locator(".st-key-target")).to_have_text(CHINESE["example_translation"])
    field = page.get_by_label(ZH["frame.sentence"], exact=True)
    field.fill(KINO)
    field.press("Enter")
    notice = ZH["notice.fit_language"].format(source=ZH["languages.zh"], language=ZH["languages.de"])
    expect(page.get_by_text(notice)).to_be_visible()
    page.locator(".st-key-use_for button").click()
    idle(page)
    expect(page.locator(".st-key-target")).to_have_text(run(KINO).text)
    has_address(page, checkpoint="de-en", sentence=KINO)
    expect(page.locator("[class*=st-key-notice_]")).to_have_count(0)
    # Back as far as it goes: the address that said nothing still means what it meant
    for _ in range(2):
        idle(page)
        page.go_back()
    expect(page.locator(".st-key-source")).to_have_text(example)
    idle(page)


# what people type


def test_what_is_typed_is_shown_as_text(visit: Visits) -> None:
    page = visit.again("/")
    scripts = page.locator("script").count()
    for text in (MARKUP, "<img src=x onerror=alert(1)>", "שלום Buch", "🎈"):
        type_sentence(page, text)
        expect(page.locator(".st-key-source")).to_have_text(text)
        expect(page.locator("[class*=st-key-notice_]").first).to_be_visible()
        expect(page.get_by_test_id("stMain").locator("img, b")).to_have_count(0)
        assert page.locator("script").count() == scripts, text


# everyone


PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
TABS = ".st-key-show, .st-key-view"
FORKS = {"decoding": {"forks": "2:700|4:800"}}  # with more than one output


LISTED = [name for names in page_list.contents().values() for name in names]


def opened(visit: Visits, name: str, language: str, **settings: Any) -> Page:
    page = visit.again(path(name, language=language, **FORKS.get(name, {})), **settings)
    expect(page.locator("h1")).to_have_text(all_texts(language)[f"{name}.question"])
    return page


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", LISTED)
def test_axe_finds_no_fault_and_each_kind_of_file_holds_something(name: str, visit: Visits) -> None:
    page = opened(visit, name, "zh", color_scheme="light")
    if name in ("start", "attention"):
        expect(figure(page)).to_have_attribute("data-theme", "light")
    if name == "sheet":  # whose title, above the headings that follow, comes with the figure
        expect(page.locator(".gf-sheet[data-ready]")).to_have_count(1)
    accessible(page, name)
    assert small(page, 24) == []
    if page_list.pages()[name].saves != "figures":  # files of a run, an answer, a view: see their own tests
        return
    results = set()
    for link in page.locator(".gf-file[download]").all():
        kind = (link.get_attribute("download") or "").rpartition(".")[2]
        if kind not in results:
            results.add(kind)
            assert READ[kind](download(page, link)), kind
    pictures = set() if name == "why" else {"svg", "png"}  # whose first figure is of HTML
    assert results == {"csv", "html"} | pictures


def wider(page: Page) -> list[str]:
    """Elements that would scroll sideways with the whole page."""
    return page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll(
            "body, [data-testid=stApp], [data-testid=stAppViewContainer], [data-testid=stMain]")]
            .filter(box => box.scrollWidth > box.clientWidth)
            .map(box => `${box.dataset.testid || box.tagName}: ${box.scrollWidth} > ${box.clientWidth}`)"""
    )


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", LISTED)
def test_a_phone_in_the_dark_shows_the_page_in_one_column(name: str, visit: Visits) -> None:
    page = opened(visit, name, "en", color_scheme="dark", **PHONE)
    if name in ("start", "attention"):
        expect(figure(page)).to_have_attribute("data-theme", "dark")
    if name == page_list.HOME or page_list.pages()[name].sidebar == "sentence":
        expect(page.get_by_label(EN["frame.sentence"], exact=True)).to_be_in_viewport()
    assert wider(page) == []
    accessible(page, name)
    assert small(page, 44) == []
    views = page.locator(TABS).get_by_role("radio")
    for number in range(1, views.count()):
        views.nth(number).click()
        expect(views.nth(number), str(number)).to_be_checked()
        # /data makes an index of a translator's sentences, 20 s of a core: longer than a busy machine's patience
        expect(page.get_by_test_id("stSpinner")).to_have_count(0, timeout=4 * PATIENCE)
        idle(page)
        assert wider(page) == [], views.nth(number).inner_text()


def test_a_phone_types_a_sentence(visit: Visits) -> None:
    page = visit.again("/", color_scheme="dark", **PHONE)
    type_sentence(page, BUCH)
    expect(page.locator(".st-key-target")).to_have_text(run(BUCH).text)
    expect(tokens(page, "query")).to_have_text(list(run(BUCH).trace.output_tokens))
    tokens(page, "query").nth(1).tap()
    expect(tokens(page, "query").nth(1)).to_have_attribute("aria-pressed", "true")
