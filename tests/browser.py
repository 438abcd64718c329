"""A browser for the tests: start, find, wait for idle. Nothing here sleeps."""

import json
import re
import shutil
from collections.abc import Set
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Playwright,
    WebSocket,
    expect,
)  # fmt: skip
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from model.decode.translate import Translation, translate
from pages.shared.session import page_list
from pages.shared.session.language_choice import COOKIE, names
from pages.shared.text.words import all_texts
from tests.samples import ROOT, german_english

EN = all_texts("en")
ADDRESSES = {name: "/" if name == page_list.HOME else f"/{name}" for name in page_list.pages()}
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    # a page that lives for seconds gains nothing by these, and each load takes 13 % longer
    "--js-flags=--no-opt --no-maglev", "--disable-threaded-animation", "--disable-threaded-scrolling",
    "--disable-checker-imaging",
]  # fmt: skip
USUAL: dict[str, Any] = {
    "locale": "en",
    "viewport": {"width": 1280, "height": 900},
    "color_scheme": "light",
    "reduced_motion": "reduce",
}
MOTION = {"reduced_motion": "no-preference"}  # for tests of what moves by itself; elsewhere one would wait for it
ADVICE = ("willReadFrequently", "GL Driver Message")  # of Chromium, on how fast a test reads what is drawn
PATIENCE = 45_000  # ms, for a busy machine; a passing test waits no longer than it needs

# Findings of axe in markup that is Streamlit's own, by rule: what its target contains, and why it stays
KNOWN = {
    # st.table leaves the corner above the row names empty; pandas and Streamlit offer no text for it
    "empty-table-header": ".blank.index_name",
    # the place to drop a file has a role that a part of it, the button, does not follow
    "presentation-role-conflict": "stFileUploaderDropzone",
    # a formula wider than a phone; st.latex gives it no place in the order of Tab, browsers give it one themselves
    "scrollable-region-focusable": "katex-display",
}

FIGURES = (".gf-attention", ".gf-architecture", ".gf-matrices", ".gf-sheet")
UNREADY = ", ".join(  # one question to the browser instead of ten, hundreds of times
    (
        "[data-stale=true]", "[data-testid=stSkeleton]", "[data-testid=stSpinner]",
        *(f"{figure}:not([data-ready])" for figure in FIGURES),
        ".st-key-copy_link button:empty", ".gf-sheet:is([data-waiting=true], [data-moving])",
    )
)  # fmt: skip

_MESSAGES = {  # fields of Streamlit's messages by number, the value of one, and how many ms an answer may take
    "rerun": BackMsg.RERUN_SCRIPT_FIELD_NUMBER,
    "began": ForwardMsg.NEW_SESSION_FIELD_NUMBER,
    "ended": ForwardMsg.SCRIPT_FINISHED_FIELD_NUMBER,
    "early": ForwardMsg.FINISHED_EARLY_FOR_RERUN,
    "patience": 5000,
}
_KNOWS_RUNS = f"({(ROOT / 'tests/script_runs.js').read_text(encoding='utf-8')})({json.dumps(_MESSAGES)})"


def chromium() -> str | None:
    """The system's Chromium; None stands for Playwright's own."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    result = map(shutil.which, names)
    return next((path for path in result if path), None)


def launch(playwright: Playwright) -> Browser:
    expect.set_options(timeout=PATIENCE)
    return playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)


_IDLE = """unready => {
    const isIdle = () => {
        const app = document.querySelector("[data-testid=stApp]");
        if (app?.dataset.testConnectionState !== "CONNECTED" || window.runIsAsked) return false;
        if (app.dataset.testScriptState !== "notRunning") return false;
        const roots = [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
        return ![document, ...roots].some((root) => root.querySelector(unready));
    };
    window.idleLooks = isIdle() ? (window.idleLooks ?? 0) + 1 : 0;
    if (window.idleLooks < 2) return false; // a click has not asked for its run yet at the first look
    window.idleLooks = 0;
    return true;
}"""


def idle(page: Page) -> Page:
    """Wait until the run that was asked for has ended, nothing on the page is stale, and the components are drawn.

    `expect` asks twice a second; this asks twenty times.
    """
    page.wait_for_function(_IDLE, arg=UNREADY, polling=50, timeout=PATIENCE)
    return page


def speak(page: Page, language: str) -> None:
    """Choose a language of the app."""
    page.locator(".st-key-language input").click()
    page.get_by_role("option", name=names()[language], exact=True).click()


class Watch:
    """Watch over a page and those that it opens: they ask no other host, and write no error or warning."""

    def __init__(self, page: Page, address: str):
        self.host = urlsplit(address).netloc
        self.elsewhere: list[str] = []
        self.errors: list[str] = []
        self.sent: list[str | bytes] = []
        self.received: list[bytes] = []
        self._follow(page)

    def _follow(self, page: Page) -> None:
        page.on("popup", self._follow)
        page.on("request", lambda request: self._asked(request.url))
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("websocket", self._websocket)

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.elsewhere.append(url)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(advice in message.text for advice in ADVICE):
            self.errors.append(f"{message.text} ({message.location['url']})")

    def _websocket(self, websocket: WebSocket) -> None:
        self._asked(websocket.url)
        websocket.on("framesent", lambda frame: self.sent.append(frame))
        websocket.on("framereceived", self._received)

    def _received(self, frame: str | bytes) -> None:
        self.received.append(frame if isinstance(frame, bytes) else frame.encode())


Taken = tuple[str, BrowserContext]


class Contexts:
    """Browsers that are used again: the next user knows nothing of the last, but need not download the app anew."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.free: dict[str, list[BrowserContext]] = {}
        self.kept: dict[str, tuple[Page, Watch, Taken]] = {}  # by what they were opened with: the pages of `again`

    def take(self, settings: dict[str, Any]) -> Taken:
        """One with these settings that nobody uses, and the name to give it back by."""
        name = repr(sorted(settings.items()))
        free = self.free.setdefault(name, [])
        if not free:
            free.append(self.browser.new_context(**settings))
            free[0].set_default_timeout(PATIENCE)
            free[0].add_init_script(_KNOWS_RUNS)
        return name, free.pop()

    def give_back(self, name: str, context: BrowserContext) -> None:
        self.kept = {by: kept for by, kept in self.kept.items() if kept[2][1] is not context}  # its pages close
        try:
            for page in context.pages:
                page.evaluate("try { localStorage.clear() } catch {}")
                page.close()
            context.clear_cookies()  # they name the user
        except Error:  # a page is still on its way to an address: nobody gets what it may have stored
            with suppress(Error):
                context.close()
        else:
            self.free[name].append(context)


class Visits:
    """Opens addresses, each in a browser of its own, and watches every one of them."""

    def __init__(self, contexts: Contexts, address: str):
        self.contexts = contexts
        self.taken: list[Taken] = []
        self.address = address
        self.watches: dict[Page, Watch] = {}
        self.script = ""  # run before each page's own

    def __call__(self, path: str = "/", server: str | None = None, **settings: Any) -> Page:
        self.taken.append(self.contexts.take(USUAL | settings))
        page = self.taken[-1][1].new_page()
        self.watches[page] = Watch(page, server or self.address)
        page.add_init_script(self.script)
        page.goto((server or self.address) + path)
        expect(page.locator("h1")).to_be_visible()
        return idle(page)

    def again(self, path: str, by: str = "", **settings: Any) -> Page:
        """Show an address where an earlier test left off, also one of another file, `by` the same user; else open it.

        To load a page takes most of the time of a short test. What the test is about must stand in the address.
        """
        settings = USUAL | settings
        viewport = settings.pop("viewport")
        name = repr((by, self.address, self.script, sorted(settings.items())))
        page, watch, taken = self.contexts.kept.get(name, (None, None, None))
        if page and watch and taken and not page.is_closed():
            if taken not in self.taken:
                self.taken.append(taken)
            self.watches[page] = watch
            page.set_viewport_size(viewport)
            page.mouse.move(0, 0)  # what lies under the pointer of the last test would show its tools
            self.go(page, path)
        else:
            page = self(path, viewport=viewport, **settings)
            self.contexts.kept[name] = page, self.watches[page], self.taken[-1]
        return page

    def go(self, page: Page, path: str) -> None:
        """Show another address of the app in an open page, as Back does. To load a page takes ten times as long."""
        page.evaluate("to => { history.pushState({}, '', to); dispatchEvent(new PopStateEvent('popstate')) }", path)
        idle(page)

    def end(self, kept: Set[Page] = frozenset()) -> None:
        """Close all browsers but those with a page of `kept`; none may have asked another host or complained."""
        watches = list(self.watches.values())
        self.close(kept)
        for watch in watches:
            elsewhere, watch.elsewhere = watch.elsewhere, []
            errors, watch.errors = watch.errors, []
            assert elsewhere == [], elsewhere
            assert errors == [], errors

    def of_again(self, at_rest: bool = False) -> set[Page]:
        """The pages of `again`; `at_rest` those alone in which nothing moves and nobody has chosen a language."""

        def is_at_rest(name: str, context: BrowserContext) -> bool:
            return "no-preference" not in name and all(each.get("name") != COOKIE for each in context.cookies())

        kept = self.contexts.kept.items()
        return {page for name, (page, _, (_, context)) in kept if not at_rest or is_at_rest(name, context)}

    def close(self, kept: Set[Page] = frozenset()) -> None:
        """Close all browsers but those with a page of `kept`."""
        leaving = [pair for pair in self.taken if not {*pair[1].pages} & kept]
        for pair in leaving:
            self.contexts.give_back(*pair)
        self.taken = [pair for pair in self.taken if pair not in leaving]
        self.watches = {page: watch for page, watch in self.watches.items() if page in kept}

    def forget(self) -> None:
        """Close all browsers, also those that tests of other files have left."""
        self.taken += [taken for _, _, taken in self.contexts.kept.values() if taken not in self.taken]
        self.close()

    def frames(self, page: Page) -> int:
        """How often the page has written to the server."""
        return len(self.watches[page].sent)

    def received(self, page: Page) -> list[bytes]:
        """What the server has written to the page, messages of Streamlit: one for each thing that a run draws."""
        return self.watches[page].received


def path(page_name: str, **choices: object) -> str:
    return f"{ADDRESSES[page_name]}?{urlencode(choices)}"


def run(sentence: str) -> Translation:
    return translate(german_english(), sentence)


def figure(page: Page) -> Locator:
    return page.locator(".gf-attention")


def tile(page: Page, layer: int, head: int, kind: str = "cross") -> Locator:
    return page.locator(f".gf-tile[data-kind={kind}][data-layer='{layer}'][data-head='{head}']")


def tokens(page: Page, side: str) -> Locator:
    return page.locator(f".gf-attention .gf-token[data-side={side}]")


def shows(page: Page, layer: int, head: int, kind: str = "cross") -> None:
    for name, value in (("kind", kind), ("layer", layer), ("head", head)):
        expect(figure(page)).to_have_attribute(f"data-{name}", str(value))


def locked(page: Page, layer: int, head: int, kind: str = "cross") -> None:
    shows(page, layer, head, kind)
    for name, value in (("kind", kind), ("layer", layer), ("head", head)):
        expect(figure(page)).to_have_attribute(f"data-locked-{name}", str(value))
    expect(tile(page, layer, head, kind)).to_have_attribute("aria-selected", "true")


def asked(page: Page) -> dict[str, str]:
    """The view in the address."""
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def has_address(page: Page, **choices: object) -> None:
    for key, value in choices.items():
        expect(page).to_have_url(re.compile(rf"[?&]{re.escape(urlencode({key: value}))}(&|$)"))


def pressed(page: Page, key: str, label: str) -> None:
    group = page.locator(f".st-key-{key}")  # while a page is drawn again, the old one may stand beside the new one
    expect(group.get_by_role("radio", name=label, exact=True, checked=True)).to_have_count(1)
    expect(group.get_by_role("radio", name=label, exact=True)).to_have_count(1)


def type_sentence(page: Page, sentence: str) -> None:
    field = page.get_by_label(EN["frame.sentence"], exact=True)
    field.fill(sentence)
    field.press("Enter")
    expect(page.locator(".st-key-source")).to_have_text(sentence)
    idle(page)


def focus_by_tab(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until an element that matches has the focus, as one without a mouse does."""
    inner = """selector => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return Boolean(at?.matches(selector));
    }"""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(inner, selector):
            return
    pytest.fail(f"{selector} is not reached by {most} presses of Tab")


_SMALL = """least => {
    const roots = [document, ...[...document.querySelectorAll("*")].map(node => node.shadowRoot).filter(Boolean)];
    const kinds = `button, summary, a[href], .gf-stops, [data-testid=stSlider] [role=group],
        label:has(input):not([data-testid=stRadioOption]), [data-testid=stRadio] div:has(> label)`;
    const inText = `p a, li a, td a, .gf-definition a, [data-testid=stTooltipIcon] *,
        [data-testid=stSkipToContent]`;
    const inField = "[data-testid=stSelectbox] *, [data-testid=stMultiSelect] *, [data-testid=stNumberInput] *";
    return roots.flatMap(root => [...root.querySelectorAll(kinds)])
        .filter(node => !node.matches(inText) && !node.matches(inField))
        .filter(node => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map(node => [node, node.getBoundingClientRect()])
        .filter(([node, box]) => box.width > 1 && box.height < least - 0.5)
        .map(([node, box]) => `${node.tagName} ${box.width} × ${box.height}: ${node.innerText || node.className}`);
}"""


def small(page: Page, least: int) -> list[str]:
    """List what one clicks or touches that is less than `least` pixels high, other than in a text or inside a field."""
    return page.evaluate(_SMALL, least)


def accessible(page: Page, which: str = "") -> None:
    """Fail if axe finds faults on a page, other than the known ones, and say which.

    axe measures the colours and sizes of one moment. What it does not find again was there while the page was drawn.
    """
    for _ in range(3):
        found = _faults(page)
        if not found:
            return
    pytest.fail("\n".join((f"axe finds faults {which}", *found)))


def _faults(page: Page) -> list[str]:
    return [
        f"{violation['id']}: {node['target']} {node['html'][:200]}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
        if not (violation["id"] in KNOWN and KNOWN[violation["id"]] in f"{node['target']} {node['html']}")
    ]
