"""A view of the app as a live page of the same server: its model in the browser, or on the server."""

from playwright.sync_api import expect

from live.texts import texts
from tests.browser import PATIENCE, Visits

EN = texts("en")


def test_a_view_opens_with_its_model_in_the_browser(visit: Visits) -> None:
    page = visit("/decoding?checkpoint=reverse&sentence=bca")
    link = page.locator(".gf-page a[target=_blank]")
    address = link.get_attribute("href") or ""
    assert address.startswith("/live/reverse/#decoding?")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(visit.address + address)
    expect(page.locator("body")).to_have_attribute("data-ready", "reverse", timeout=4 * PATIENCE)  # its files are made
    expect(page.locator("[data-output]")).to_have_attribute("data-output", "acb")
    expect(page.get_by_text(EN["live.about"])).to_be_visible()
    assert all(url.startswith((visit.address, "blob:")) for url in asked)
    count = len(asked)
    page.get_by_label(EN["frame.sentence"], exact=True).fill("def")
    page.get_by_label(EN["frame.sentence"], exact=True).press("Enter")
    expect(page.locator("[data-output]")).to_have_attribute("data-output", "fed")
    assert len(asked) == count  # no request for a sentence
