"""Links to pages: each has a whole address, and opens in a tab of its own for who asks for one."""

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser import ADDRESSES, EN, Visits, has_address, idle, path
from tests.samples import BUCH


def test_each_link_of_the_list_has_the_address_of_its_page(visit: Visits) -> None:
    page = visit.again(path("attention", sentence=BUCH))
    for name, address in ADDRESSES.items():
        link = page.get_by_test_id("stSidebar").get_by_role("link", name=EN[f"pages.{name}"], exact=True)
        expect(link).to_have_js_property("pathname", address)
        assert parse_qs(urlsplit(link.evaluate("link => link.href")).query)["sentence"] == [BUCH]


@pytest.mark.parametrize(
    ("name", "click"), [("start", {"modifiers": ["ControlOrMeta"]}), ("masks", {"button": "middle"})]
)
def test_a_click_with_a_key_opens_a_tab_and_leaves_this_one(visit: Visits, name: str, click: dict[str, Any]) -> None:
    page = visit.again(path("attention", sentence=BUCH))
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=EN[f"pages.{name}"], exact=True)
    with page.context.expect_page() as opened:
        link.click(**click)
    expect(opened.value.locator("h1")).to_have_text(EN[f"{name}.question"])
    idle(opened.value).close()
    expect(page.locator("h1")).to_have_text(EN["attention.question"])
    link.click()
    expect(page.locator("h1")).to_have_text(EN[f"{name}.question"])


def test_an_address_below_a_page_leads_to_it(visit: Visits) -> None:
    page = visit(f"/attention/deep?{urlencode({'sentence': BUCH, 'head': 2})}")
    expect(page.locator("h1")).to_have_text(EN["attention.question"])
    has_address(page, sentence=BUCH, head=2)
