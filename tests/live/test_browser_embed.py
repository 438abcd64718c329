"""A live page in a frame of another site: one figure, its height, no storage, under a policy of its host."""

from pathlib import Path

from playwright.sync_api import Browser, FrameLocator, Page, expect

from live.texts import texts
from tests.browser import PATIENCE
from tests.live.conftest import Open, served

EN = texts("en")
# what docs/live-pages.md asks of a host
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'unsafe-inline'; img-src data:"
)
NO_STORAGE = """for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
    Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });"""


# whether the frame is as high as what it shows
FITS = "() => Math.ceil(document.getElementById('app').getBoundingClientRect().height) === innerHeight"


def _ready(frame: FrameLocator) -> FrameLocator:
    expect(frame.locator("body[data-ready]")).to_be_attached(timeout=PATIENCE)
    return frame


def _copied(page: Page) -> str:
    """The snippet that a page offers."""
    page.get_by_text(EN["live.embed"], exact=True).click()
    return page.get_by_label(EN["live.embed"], exact=True).input_value()


def test_the_snippet_shows_one_figure_in_a_page_of_another_origin(
    open_page: Open, live_folder: Path, tmp_path: Path
) -> None:
    with served(live_folder, {"Content-Security-Policy": POLICY}) as models, served(tmp_path) as other:
        page = open_page(f"{models}/#attention?attention_kind=encoder&layer=1&head=2")
        expect(page.locator("body[data-ready]")).to_be_attached(timeout=PATIENCE)
        (tmp_path / "index.html").write_text(
            f"<!doctype html><link rel=icon href=data:,><title>Course</title><p>Text</p>{_copied(page)}"
        )
        around = open_page(other)
        around.add_init_script(NO_STORAGE)
        around.goto(other)
        frame = _ready(around.frame_locator("iframe"))
        expect(frame.locator(".gf-attention")).to_have_attribute("data-kind", "encoder")
        for hidden in ("header", "form", "[role=tablist]", "h1", "footer"):
            expect(frame.locator(hidden).first).to_be_hidden()
        inner = next(each for each in around.frames if each.parent_frame)
        inner.wait_for_function(FITS)
        figure = frame.locator(".gf-attention").bounding_box()
        assert figure
        assert 0 < inner.evaluate("innerHeight") - figure["height"] < 150

        frame.locator(".gf-tile[data-kind=cross][data-layer='0'][data-head='1']").click()
        expect(frame.locator(".gf-attention")).to_have_attribute("data-locked-kind", "cross")
        expect(frame.get_by_role("link")).to_have_attribute(
            "href", f"{models}/#attention?attention_kind=cross&layer=0&head=1"
        )


def test_a_single_file_runs_in_a_sandbox_without_an_origin(open_page: Open, live_folder: Path, tmp_path: Path) -> None:
    source = (live_folder / "single" / "de-en.html").as_uri()
    frame = (
        f'<iframe sandbox="allow-scripts" src="{source}?embed=1#intervene?changes=off:cross.1.0" width=900></iframe>'
    )
    (tmp_path / "index.html").write_text(f"<!doctype html><title>Course</title>{frame}", encoding="utf-8")
    around = open_page((tmp_path / "index.html").as_uri())
    shown = _ready(around.frame_locator("iframe"))
    expect(shown.locator("[data-changed='1']")).to_be_attached()
    expect(shown.get_by_role("tablist")).to_be_hidden()


def test_a_policy_that_forbids_the_engine_is_named(browser: Browser, live_folder: Path) -> None:
    with served(
        live_folder, {"Content-Security-Policy": POLICY.replace("worker-src 'self'", "worker-src 'none'")}
    ) as host:
        context = browser.new_context(locale="en")
        page = context.new_page()
        page.goto(host)
        expect(page.locator(".notices")).to_have_text(EN["live_problem.worker"])
        context.close()
