"""A server that was just started, and many who open it at once, as a class does."""

import subprocess
import sys
import threading
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.shared.layout import sidebar
from pages.shared.models import warmup
from pages.shared.server.routes import warm_route
from pages.shared.session import page_list
from tests.app import PAGES, keys, said, sentence, visit
from tests.browser import EN, Contexts, figure, has_address, idle, tile
from tests.samples import ROOT
from tests.server import server

# what stood over the page for a moment: the sentence about a server that is gone, and Streamlit's dialog
_NOTES = """addEventListener("DOMContentLoaded", () => {
    window.seen = { away: false, dialog: false };
    const away = document.querySelector(".gf-away");
    new MutationObserver(() => (seen.away ||= away.checkVisibility())).observe(away, { attributes: true });
    new MutationObserver((records) => {
        const added = records.flatMap((record) => [...record.addedNodes]);
        seen.dialog ||= added.some((node) => node.dataset?.testid === "stDialog");
    }).observe(document.body, { childList: true });
})"""


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A server that loads its model until the event is set."""
    ready = threading.Event()
    monkeypatch.setattr(warmup, "_ready", ready)
    monkeypatch.setattr(sidebar, "warm_up", lambda: None)
    return ready


@pytest.mark.sample(4)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_before_the_model_is_warm(page: str, cold: threading.Event) -> None:
    app = visit(page)
    assert [title.value for title in app.title] == [sentence("en", f"{page}.question")]
    assert said(app) == []
    if page == page_list.HOME or page in page_list.contents()["see"]:
        assert [key for key in keys(app) if key.startswith("figure_") or key in ("attention", "whole_model")]


def test_the_first_page_is_drawn_without_torch_and_without_a_dictionary() -> None:
    script = f"""
import sys
from streamlit.testing.v1 import AppTest
from pages.shared.layout import sidebar
sidebar.warm_up = lambda: None
app = AppTest.from_file({str(ROOT / "pages" / "shell.py")!r}, default_timeout=60).run()
assert not app.exception, app.exception
assert [title.value for title in app.title]
print("torch" in sys.modules, "rjieba" in sys.modules)
"""
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.stdout.split() == ["False", "False"], process.stderr[-2000:]


def test_the_browser_asks_until_the_model_is_there(cold: threading.Event) -> None:
    client = TestClient(Starlette(routes=[warm_route.ROUTE]))
    assert client.get("/warm").status_code == 202
    assert "await_model" in keys(visit("position"))
    cold.set()
    assert client.get("/warm").status_code == 204
    assert "await_model" not in keys(visit("position"))


def test_a_chart_waits_for_pandas_that_another_session_imports() -> None:
    """Altair looks pandas up without waiting for it, and fails on one that is half there."""
    script = """
import sys, threading, time
import altair as alt
from viz.vega import vega_spec
chart = alt.Chart(alt.Data(values=[{"x": 1}])).mark_point().encode(x="x:Q")
half = threading.Event()

class Slow:
    def find_spec(self, name, path, target=None):
        if name == "pandas.core.api":
            half.set()
            time.sleep(0.5)

sys.meta_path.insert(0, Slow())
assert "pandas" not in sys.modules
other = threading.Thread(target=__import__, args=("pandas",))
other.start()
half.wait()
print(vega_spec(chart)["encoding"]["x"]["field"])
other.join()
"""
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.stdout.split() == ["x"], process.stderr[-2000:]


def test_every_chart_waits_for_it() -> None:
    for path in (ROOT / "pages").rglob("*.py"):
        assert "altair_chart(" not in path.read_text(encoding="utf-8"), (
            f"{path.name}: give st.vega_lite_chart a vega_spec"
        )


@pytest.mark.thorough
def test_many_open_it_at_once_then_it_goes_and_comes_back(contexts: Contexts) -> None:
    _, context = contexts.take({"locale": "en", "viewport": {"width": 1280, "height": 900}})
    context.add_init_script(_NOTES)
    with server(base="/class/one") as fresh:
        pages = []
        for address in ("/", "/position", "/energy", "/position", "/primer", "/energy"):
            pages.append(context.new_page())
            pages[-1].goto(fresh + address, wait_until="commit")
        expect(pages[0].get_by_text(EN["start.recorded"])).to_be_visible()
        for page in pages[1:]:
            expect(page.locator("[data-testid=stVegaLiteChart] svg").first).to_be_visible()
        expect(pages[0].get_by_text(EN["start.recorded"])).to_have_count(0)
        for page in pages:
            expect(page.locator(".st-key-await_model")).to_have_count(0)
            idle(page)
            expect(page.locator("[class*=st-key-notice_], [data-testid=stException]")).to_have_count(0)
            assert page.evaluate("seen") == {"away": False, "dialog": False}
        for page in pages[1:]:
            page.close()
    # now it is gone: that is said in our words, and the page can still be read
    expect(pages[0].get_by_role("alert")).to_have_text(EN["notice.away"], use_inner_text=True)
    pages[0].wait_for_function("seen.dialog")
    expect(pages[0].locator("[data-testid=stDialog], #root[inert]")).to_have_count(0)
    pages[0].locator(".gf-token").first.hover()
    before = figure(pages[0]).get_attribute("data-locked-head")
    tile(pages[0], 0, 3).click()
    expect(figure(pages[0])).to_have_attribute("data-locked-head", str(before))
    # it is back, knows nobody, and the first choice is taken
    with server(base="/class/one", port=urlsplit(fresh).port):
        expect(pages[0].get_by_role("alert")).to_have_count(0)
        expect(pages[0].get_by_text(EN["start.recorded"])).to_be_visible()
        tile(pages[0], 0, 2).click()
        has_address(pages[0], layer=0, head=2)
        pages[0].close()
