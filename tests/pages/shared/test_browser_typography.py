"""Chinese is set in Chinese type: its quotes, dots and dashes from a Chinese font, and no slanted characters."""

import pytest
import rjieba
from playwright.sync_api import Page

from tests.browser import Visits, path


def fonts(page: Page, selector: str) -> dict[str, int]:
    """The fonts in which an element is drawn, with the number of glyphs of each."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"]: font["glyphCount"] for font in used}


def test_chinese_emphasis_is_bold_and_marks_are_chinese(visit: Visits) -> None:
    page = visit.again(path("course", language="zh", step="vectors"))
    emphasis = page.locator(".gf-prose em").first
    assert emphasis.evaluate("node => getComputedStyle(node).fontStyle") == "normal"
    visit.go(page, path("intervene", language="zh"))
    title = "h1 span"
    assert "……" in page.locator("h1").inner_text()
    if len(fonts(page, title)) > 1 and page.evaluate("!document.fonts.check('16px \"Chinese marks\"', '…')"):
        pytest.skip("this machine has no Chinese font")
    [font] = fonts(page, title)
    assert "Source" not in font
    page.evaluate("document.documentElement.lang = 'en'")
    assert len(fonts(page, title)) == 2  # the marks of another language are Latin


SPOKEN = """() => {
  const roots = [document, ...[...document.querySelectorAll('*')].map((node) => node.shadowRoot).filter(Boolean)];
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const of = (selector) => [...new Set(all(selector).map((node) => node.closest('[lang]')?.lang ?? ''))].sort().join();
  return {
    sentence: of('.gf-sentence'), field: of('.st-key-sentence input'), examples: of('.st-key-examples button'),
    written: of('.st-key-target p, .st-key-target pre, .st-key-target [data-testid=stText]'),
    keys: of('.gf-links .gf-token[data-side=key]'), queries: of('.gf-links .gf-token[data-side=query]'),
  };
}"""


def test_what_a_model_reads_and_writes_names_its_language(visit: Visits) -> None:
    page = visit.again(path("start", checkpoint="de-en"))
    for model, source in (("de-en", "de"), ("zh-en", "zh-CN")):
        visit.go(page, path("start", checkpoint=model))
        page.wait_for_selector(".gf-links .gf-token[data-side=query]")
        readout = page.evaluate(SPOKEN)
        assert {readout[part] for part in ("sentence", "field", "examples")} == {source}
        assert readout["keys"].split(",")[-1] == source
        assert readout["written"] == readout["queries"] == "en"


WORDS = """selector => [...document.querySelectorAll(selector)]
    .map((node) => [node.textContent, node.closest('[lang]').lang || node.closest('[lang]').getAttribute('lang')])"""
AXIS = ".st-key-figure_course .vega-embed text"
PILLS = ".st-key-token button p"
BARS = ".gf-weights th"


def test_a_word_in_a_chart_a_table_or_a_button_names_its_language(visit: Visits) -> None:
    page = visit.again(path("course", checkpoint="de-en", language="zh"))
    assert ["Kino", "de"] in page.evaluate(WORDS, AXIS)
    assert ["cinema", "en"] in page.evaluate(WORDS, PILLS)
    assert ["权重", "zh-CN"] in page.evaluate(WORDS, AXIS)
    visit.go(page, path("course", checkpoint="zh-en", language="en"))
    assert ["馆", "zh-CN"] in page.evaluate(WORDS, AXIS)
    assert ["library", "en"] in page.evaluate(WORDS, PILLS)
    visit.go(page, path("quiz", question="row_sum", checkpoint="de-en", language="zh"))
    words = {word: tag for word, tag in page.evaluate(WORDS, BARS) if word[0].isalpha() and word.isascii()}
    assert words  # of the sentence or of its translation: the question draws its row
    assert words == {word: "de" if word in ("Wir", "gehen", "heute", "ins", "Kino") else "en" for word in words}
    visit.go(page, path("decoding", checkpoint="de-en", language="zh", view="inside"))
    assert set(dict(page.evaluate(WORDS, ".gf-plain tbody th")).values()) == {"en"}


LINES = """title => {
  const text = title.querySelector('span').firstChild;
  const top = (i) => {
    const range = document.createRange();
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    return range.getClientRects()[0]?.top;
  };
  const lines = [''];
  for (let i = 0, last = top(0); i < text.data.length; i++) {
    const now = top(i) ?? last;
    if (now > last + 8) lines.push('');
    lines[lines.length - 1] += text.data[i];
    last = now;
  }
  return lines;
}"""


@pytest.mark.thorough
def test_no_title_breaks_inside_a_chinese_word_on_a_phone(visit: Visits) -> None:
    page = visit.again("/energy?language=zh", viewport={"width": 390, "height": 844})
    for name in ("energy", "masks", "position", "start"):
        visit.go(page, path(name, language="zh"))
        lines = page.locator("h1").evaluate(LINES)
        assert len(lines) > 1
        first = lines[0].replace("\u2060", "")
        ends = {len("".join(words)) for words in _beginnings("".join(lines).replace("\u2060", ""))}
        assert len(first) in ends, lines


def _beginnings(text: str) -> list[list[str]]:
    """The words of a text, the first, the first two and so on."""
    words = rjieba.cut(text)
    return [words[:count] for count in range(1, len(words) + 1)]
