"""A browser that has never been here: what it loads, what it reads meanwhile, and what it reads if nothing comes."""

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from pages.shared.text.words import all_texts
from tests.browser import figure, idle

MOST_REQUESTS, MOST_BYTES = 60, 900_000
FEW_BYTES = 500  # of text, which is no smaller when it is packed


@pytest.fixture
def new(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has kept nothing."""
    context = browser.new_context(locale="zh-CN", viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.mark.parametrize("maps", [True, False], ids=["", "a browser without import maps"])
def test_the_first_page_is_few_requests_and_few_bytes(maps: bool, address: str, new: BrowserContext) -> None:
    page = new.new_page()
    if not maps:
        page.add_init_script("HTMLScriptElement.supports = () => false")
    session = new.new_cdp_session(page)
    session.send("Network.enable")
    answers: dict[str, dict] = {}
    sizes: dict[str, int] = {}
    session.on("Network.responseReceived", lambda event: answers.update({event["requestId"]: event["response"]}))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(f"{address}/?language=en")
    expect(figure(page)).to_have_attribute("data-ready", "true")
    idle(page)
    page.wait_for_load_state("networkidle")
    asked = {key: answer for key, answer in answers.items() if urlsplit(answer["url"]).scheme == "http"}
    assert max(Counter(answer["url"] for answer in asked.values()).values()) == 1
    for key, answer in asked.items():
        text = any(kind in answer["mimeType"] for kind in ("javascript", "html", "css", "json", "svg"))
        if text and sizes[key] > FEW_BYTES + len(str(answer["headers"])):
            headers = {name.lower(): value for name, value in answer["headers"].items()}
            assert headers.get("content-encoding") == "gzip", answer["url"]
            assert "accept-encoding" in headers["vary"].lower()
    if maps:
        assert len(asked) < MOST_REQUESTS
        assert sum(sizes[key] for key in asked) < MOST_BYTES
    expect(page.locator(".gf-loading")).to_have_count(0)


def test_while_a_page_loads_it_says_so_and_not_that_nobody_answers(address: str, new: BrowserContext) -> None:
    texts = all_texts("zh")
    held: list[Route] = []
    page = new.new_page()
    page.clock.install()
    page.route("**/static/js/index.*.js", lambda route: held.append(route))
    page.goto(f"{address}/attention", wait_until="commit")
    notice = page.locator(".gf-loading")
    expect(notice).to_contain_text(texts["attention.question"])
    page.wait_for_function("() => document.querySelector('.gf-away')")
    page.clock.run_for(120_000)
    expect(page.get_by_text(texts["notice.loading"])).to_be_visible()
    expect(page.locator(".gf-away")).to_be_hidden()
    page.clock.resume()
    for route in held:
        route.continue_()
    expect(page.locator("h1")).to_have_text(texts["attention.question"])
    expect(notice).to_have_count(0)


def test_the_code_of_a_figure_that_did_not_come_is_asked_for_again(address: str, new: BrowserContext) -> None:
    page, asked = new.new_page(), list[str]()

    def lose_first(route: Route) -> None:
        asked.append(route.request.url)
        if "?" in route.request.url:
            route.continue_()
        else:
            route.abort()

    page.route("**/code/attention.*", lose_first)
    page.goto(f"{address}/?language=en")
    expect(figure(page)).to_have_attribute("data-ready", "true")
    assert asked == [asked[0], f"{asked[0]}?again"]


def test_a_page_that_cannot_load_says_so(address: str, new: BrowserContext) -> None:
    texts = all_texts("zh")
    page = new.new_page()
    page.route("**/static/js/react-dom.*.js", lambda route: route.abort())
    page.goto(address)
    expect(page.get_by_text(texts["notice.not_loaded"])).to_be_visible()
    expect(page.get_by_text(texts["notice.loading"])).to_be_hidden()
    expect(page.locator(".gf-away")).to_be_hidden()


def test_a_server_that_never_answers_is_not_said_to_be_gone(address: str, new: BrowserContext) -> None:
    texts = all_texts("zh")
    page = new.new_page()
    page.clock.install()
    page.route("**/_stcore/health", lambda route: route.abort())
    page.goto(address)
    expect(page.locator("[data-testid=stApp]")).to_be_attached()
    page.clock.run_for(15_000)
    expect(page.get_by_text(texts["notice.not_loaded"])).to_be_visible()
    expect(page.locator(".gf-away")).to_be_hidden()
    page.unroute("**/_stcore/health")
    page.clock.run_for(120_000)
    page.clock.resume()
    expect(page.locator("h1")).to_have_text(texts["start.question"])
    expect(page.locator(".gf-loading")).to_have_count(0)
