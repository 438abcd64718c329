"""A view that the reader's browser computes, in the frame of the app: its numbers, its requests, its address."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import FrameLocator, Page, expect

from model.checkpoint import catalogue, checkpoints
from model.graph.server_engine import ServerEngine
from pages.shared.text.words import all_texts
from tests.browser import PATIENCE, Visits, accessible, has_address, idle

EN = all_texts("en")
SLIDE = """(node, scale) => {
    node.value = scale;
    node.dispatchEvent(new Event("input", { bubbles: true }));
    node.dispatchEvent(new Event("change", { bubbles: true }));
}"""


def _frame(page: Page) -> FrameLocator:
    frame = page.frame_locator("iframe")
    expect(frame.locator("body[data-ready]")).to_be_attached(timeout=2 * PATIENCE)  # its files are made first
    return frame


def _settings(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_a_slider_asks_nobody_and_gives_what_the_server_s_engine_gives(visit: Visits) -> None:
    page = visit("/intervene?checkpoint=reverse&sentence=abcd")
    page.get_by_role("button", name=EN["in_browser.browser"], exact=True).click()
    frame = _frame(page)
    expect(page.locator(".st-key-figure_result")).to_have_count(0)
    idle(page)
    sent, asked = len(visit.watches[page].sent), []
    page.on("request", lambda request: asked.append(request.url))
    frame.locator(".slider input").first.evaluate(SLIDE, 0)
    expect(frame.locator("[data-changed='1']")).to_be_attached()
    [spelled] = _settings(page)["changes"]  # off:cross.1.0
    kind, layer, head = spelled.removeprefix("off:").split(".")

    entry = catalogue.find("reverse")
    heads = [{"kind": kind, "layer": int(layer), "head": int(head), "scale": 0}]
    answer = ServerEngine(checkpoints.load(entry), entry).write("abcd", heads, [], 6, [])
    expect(frame.locator("[data-output]")).to_have_attribute("data-output", answer.plain["text"])
    assert asked == []
    assert len(visit.watches[page].sent) == sent  # Streamlit was asked nothing either
    accessible(page, "in the frame")

    page.get_by_role("button", name=EN["in_browser.back"], exact=True).click()  # the change comes along
    expect(page.locator(".st-key-figure_list")).to_contain_text(EN["intervene_list.remove"])
    assert "computed" not in _settings(page)


def test_a_link_restores_it_and_a_sentence_goes_into_the_frame(visit: Visits) -> None:
    page = visit("/decoding?checkpoint=reverse&computed=browser&sentence=abc")
    frame = _frame(page)
    expect(frame.locator("[data-output]")).to_have_attribute("data-output", "cba")
    page.get_by_label(EN["frame.sentence"], exact=True).fill("fed")
    page.get_by_label(EN["frame.sentence"], exact=True).press("Enter")
    expect(frame.locator("[data-output]")).to_have_attribute("data-output", "def")
    for hidden in ("header", "form.sentence", "[role=tablist]", "footer"):
        expect(frame.locator(hidden).first).to_be_hidden()
    assert _settings(page)["computed"] == ["browser"]


def test_a_sentence_and_a_head_chosen_in_the_frame_are_those_of_the_next_page(visit: Visits) -> None:
    page = visit("/intervene?checkpoint=reverse&computed=browser&sentence=abc")
    frame = _frame(page)
    frame.locator("body").evaluate("body => { body.dataset.before = 'yes' }")
    frame.get_by_role("button", name=EN["intervene_try.matters"], exact=True).click()
    expect(page.get_by_label(EN["frame.sentence"], exact=True)).not_to_have_value("abc")
    chosen = {key: value for key, [value] in _settings(idle(page)).items()}
    changes, kept = chosen.pop("changes"), int(chosen["head"])
    expect(frame.locator("body[data-before]")).to_be_attached()  # the page was drawn again, and not the frame
    expect(frame.locator("[data-changed='1']")).to_be_attached()

    page.locator(".gf-contents a[href*='/masks?']").click()
    heads = frame.locator("fieldset[data-hideable=head]").last.locator("input")
    expect(heads.nth(kept)).to_be_checked()
    has_address(page, **chosen)
    heads.nth(kept - 1).evaluate("node => node.click()")
    has_address(idle(page), head=(kept - 1) % 4)
    page.go_back()
    expect(heads.nth(kept)).to_be_checked()
    idle(page)
    heads.evaluate_all("nodes => nodes.forEach((node) => node.click())")  # faster than the page answers
    has_address(idle(page), head=3)
    expect(heads.last).to_be_checked()

    page.locator(".gf-contents a[href*='/intervene?']").click()
    has_address(page, head=3, changes=changes, sentence=chosen["sentence"])


def test_a_browser_that_saves_data_or_cannot_run_a_model_goes_on_with_the_server(visit: Visits) -> None:
    visit.script = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    page = visit("/masks?checkpoint=reverse&computed=browser")
    expect(page.get_by_text(EN["in_browser.saves_data"])).to_be_visible()
    expect(page.locator(".st-key-figure_mask")).to_be_visible()
    visit.script = "WebAssembly.validate = () => false"
    page = visit("/masks?checkpoint=reverse&computed=browser")
    expect(page.get_by_text(EN["in_browser.cannot"])).to_be_visible()
    expect(page.locator("iframe")).to_have_count(0)
