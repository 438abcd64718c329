"""Texts of Streamlit, which are in English only, in a browser: they follow the language of the page."""

import re

import pytest
from playwright.sync_api import Page, expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, idle, speak

EN, ZH = all_texts("en"), all_texts("zh")
OWN = {key for key in EN if key.startswith("streamlit.") and "{" not in EN[key]}


def english(page: Page) -> set[str]:
    """Labels of Streamlit's own that are left in English."""
    texts = page.evaluate(
        """() => [...document.querySelectorAll("[data-testid=stApp] *")].flatMap(node => [
            node.getAttribute("aria-label"), node.getAttribute("placeholder"),
            ...[...node.childNodes].filter(each => each.nodeType === Node.TEXT_NODE).map(each => each.data)])"""
    )
    return set(filter(None, texts)) & {EN[key] for key in OWN}


def test_labels_of_streamlit_are_in_the_language_of_the_page(visit: Visits) -> None:
    page = visit.again("/primer?language=zh", locale="zh-CN")
    assert english(page) == set()
    expect(page.locator("[data-testid=stSkipToContent]")).to_have_text(ZH["streamlit.skip"])
    more = page.get_by_test_id("stNumberInputStepUp").first
    expect(more).to_have_attribute("aria-label", ZH["streamlit.more"])
    more.click()  # it is drawn again
    idle(page)
    expect(more).to_have_attribute("aria-label", ZH["streamlit.more"])
    visit.go(page, "/checkpoints?language=zh")
    page.locator("[data-testid=stExpander] summary").first.click()
    place = page.get_by_test_id("stFileUploaderDropzone").first
    expect(place).to_contain_text(ZH["streamlit.upload"])
    expect(place).to_contain_text(ZH["streamlit.limit"].format(size="50MB"))
    expect(page.get_by_test_id("stTooltipIcon").locator("button").first).to_have_attribute(
        "aria-label", re.compile(re.escape(ZH["streamlit.help_for"].partition("{name}")[2]) + "$")
    )
    assert english(page) == set()
    speak(page, "en")  # the same elements, in the other language
    expect(page.locator("[data-testid=stSkipToContent]")).to_have_text(EN["streamlit.skip"])
    expect(place).to_contain_text(EN["streamlit.limit"].format(size="50MB"))


@pytest.mark.thorough
def test_buttons_of_a_figure_in_three_dimensions_are_in_the_language_of_the_page(visit: Visits) -> None:
    page = visit.again("/embedding?show=space&language=zh", locale="zh-CN")
    expect(page.locator(".modebar")).to_have_count(2)
    for buttons in page.locator(".modebar").all():
        titles = buttons.locator(".modebar-btn").evaluate_all("all => all.map(each => each.dataset.title)")
        keys = ("picture", "zoom", "pan", "turn", "camera")
        expected = [ZH[f"embedding_space_buttons.{key}"] for key in keys]
        assert titles == [*expected, ZH["streamlit.fullscreen"]]


def test_only_what_has_changed_is_looked_at(visit: Visits) -> None:
    """A figure that is drawn again a hundred times a second must not have the whole page searched each time."""
    page = visit.again("/primer?language=zh", locale="zh-CN")
    searched = page.evaluate(
        """async () => {
            await new Promise((resolve) => { // until charts are drawn, too, and nothing changes any more
                let timer = setTimeout(resolve, 300);
                new MutationObserver(() => (clearTimeout(timer), (timer = setTimeout(resolve, 300))))
                    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
            });
            const tops = [];
            const kinds = [Element.prototype, Document.prototype];
            const searches = kinds.map((kind) => kind.querySelectorAll);
            kinds.forEach((kind, i) => {
                kind.querySelectorAll = function (...given) { tops.push(this); return searches[i].apply(this, given); };
            });
            const node = document.body.appendChild(document.createElement("p"));
            node.textContent = "one";
            node.ariaLabel = "two";
            await new Promise(requestAnimationFrame);
            kinds.forEach((kind, i) => (kind.querySelectorAll = searches[i]));
            return tops.map((top) => top.nodeName).filter((name) => name !== "P");
        }"""
    )
    assert searched == []
