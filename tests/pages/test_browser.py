"""The app in a browser, as a person meets it: from the first sentence to a chosen head, and out again.

Every test also watches its browser: no request to another host, no error or warning on the console.
"""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from model.checkpoint.catalogue import Entry
from model.trace import ATTENTION_KINDS
from pages.shared.text.words import all_texts
from tests.browser import (
    ADDRESSES,
    Visits,
    figure,
    focus_by_tab,
    has_address,
    idle,
    locked,
    path,
    pressed,
    run,
    shows,
    tile,
    tokens,
    type_sentence,
)
from tests.samples import BUCH, KINO, SAMPLES
from tests.server import server

EN, ZH = all_texts("en"), all_texts("zh")

FIRST = Entry(SAMPLES / "de-en").card["first_look"]


OTHER = (FIRST["layer"] + 1) % 3, (FIRST["head"] + 2) % 4  # a head that is not shown at first


# the journey


def test_from_the_example_to_a_sentence_to_a_head(visit: Visits) -> None:
    page = visit.again("/")
    expect(page).to_have_title(re.compile(EN["pages.start"]))
    expect(page.locator(".st-key-source")).to_have_text(KINO)
    expect(page.locator(".st-key-target")).to_contain_text("cinema")
    expect(tokens(page, "key")).to_have_text(list(run(KINO).trace.source_tokens))

    type_sentence(page, BUCH)
    trace = run(BUCH).trace
    expect(page.locator(".st-key-target")).to_have_text(run(BUCH).text)
    expect(tokens(page, "key")).to_have_text(list(trace.source_tokens))
    expect(tokens(page, "query")).to_have_text(list(trace.output_tokens))
    has_address(page, sentence=BUCH)

    page.get_by_test_id("stSidebar").get_by_role("link", name=EN["pages.attention"], exact=True).click()
    expect(page.locator("h1")).to_have_text(EN["attention.question"])
    expect(page.locator(".gf-attention[data-view=matrix]")).to_be_visible()
    idle(page)
    expect(page.get_by_label(EN["frame.sentence"])).to_have_value(BUCH)
    expect(tokens(page, "query")).to_have_text(list(trace.output_tokens))
    locked(page, FIRST["layer"], FIRST["head"])

    # hover previews, without a word to the server
    before = visit.frames(page)
    layer, head = OTHER
    for kind in ATTENTION_KINDS:
        tile(page, layer, head, kind).hover()
        shows(page, layer, head, kind)
        expect(figure(page).locator(".gf-title")).to_contain_text(EN[f"attention_figure.{kind}"])
    expect(figure(page)).to_have_attribute("data-locked-head", str(FIRST["head"]))
    page.get_by_role("heading", level=1).hover()
    shows(page, FIRST["layer"], FIRST["head"])
    assert visit.frames(page) == before

    # click locks, and the controls and the address follow
    tile(page, layer, head, "encoder").click()
    locked(page, layer, head, "encoder")
    has_address(page, attention_kind="encoder", layer=layer, head=head, sentence=BUCH)
    idle(page)
    pressed(page, "layer", str(layer))
    pressed(page, "head", str(head))
    page.get_by_role("heading", level=1).hover()
    locked(page, layer, head, "encoder")
    assert visit.frames(page) > before


def test_a_word_is_linked_under_the_pointer_without_the_server(visit: Visits) -> None:
    page = visit.again("/")
    trace = run(KINO).trace
    weights = trace.weights("cross")[FIRST["layer"], FIRST["head"]]
    before = visit.frames(page)
    for query, token in enumerate(trace.output_tokens):
        tokens(page, "query").nth(query).hover()
        key = int(weights[query].argmax())
        readout = figure(page).get_by_role("status")
        expect(readout).to_contain_text(f"{token} → {trace.source_tokens[key]} ")
        expect(readout).to_contain_text(f"{weights[query, key]:.3f}")
        expect(readout).to_contain_text("sum of the row 1.000")
    assert visit.frames(page) == before


def test_the_map_reads_out_the_weight_under_the_pointer(visit: Visits) -> None:
    page = visit.again(path("attention", sentence=BUCH, layer=OTHER[0], head=OTHER[1], attention_kind="cross"))
    locked(page, *OTHER)
    weights = run(BUCH).trace.weights("cross")[OTHER]
    box = figure(page).locator(".gf-map").bounding_box()
    assert box
    rows, columns = weights.shape
    for query, key in ((0, 0), (1, columns - 1), (rows - 1, 2)):
        at = {"x": (key + 0.5) * box["width"] / columns, "y": (query + 0.5) * box["height"] / rows}
        figure(page).locator(".gf-map").hover(position=at)  # type: ignore[arg-type]
        readout = figure(page).get_by_role("status")
        trace = run(BUCH).trace
        expect(readout).to_contain_text(f"{trace.output_tokens[query]} → {trace.source_tokens[key]} ")
        on_screen = re.search(r"(\d\.\d{3})\D+sum of the row 1\.000", readout.inner_text())
        assert on_screen
        assert float(on_screen[1]) == pytest.approx(weights[query, key], abs=6e-4)
    expect(figure(page)).to_contain_text(EN["attention_figure.about_cross"])
    assert "queries" in EN["attention_figure.about_cross"]


def test_heads_by_keyboard(visit: Visits) -> None:
    page = visit.again(path("attention", layer=0, head=0, attention_kind="cross"))
    locked(page, 0, 0)
    focus_by_tab(page, ".gf-tile")
    page.keyboard.press("ArrowRight")
    shows(page, 0, 1)
    page.keyboard.press("ArrowDown")
    shows(page, 1, 1)
    expect(figure(page)).to_have_attribute("data-locked-head", "0")
    page.keyboard.press("Escape")
    shows(page, 0, 0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    locked(page, 1, 0)
    has_address(page, layer=1, head=0)
    # the large map is reached too, and walks from cell to cell
    idle(page)
    focus_by_tab(page, ".gf-attention .gf-map")
    page.keyboard.press("Home")
    before = figure(page).get_by_role("status").inner_text()
    page.keyboard.press("ArrowRight")
    expect(figure(page).get_by_role("status")).not_to_have_text(before)
    expect(figure(page).get_by_role("status")).to_contain_text(f"→ {run(KINO).trace.source_tokens[1]} ")


def test_words_by_keyboard(visit: Visits) -> None:
    page = visit.again("/")
    focus_by_tab(page, ".gf-token")
    page.keyboard.press("Home")
    tokens_read = run(KINO).trace.output_tokens
    status = figure(page).get_by_role("status")
    expect(status).to_contain_text(f"{tokens_read[0]} → ")
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text(f"{tokens_read[1]} → ")
    page.keyboard.press("Enter")
    expect(tokens(page, "query").nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(tokens(page, "query").nth(1)).to_have_attribute("aria-pressed", "false")


@pytest.mark.thorough
def test_a_link_opens_the_same_view_on_a_fresh_server(visit: Visits) -> None:
    link = path("attention", sentence=BUCH, attention_kind="decoder", layer=OTHER[0], head=OTHER[1], language="zh")
    page = visit.again(link)
    locked(page, *OTHER, "decoder")
    expected = figure(page).inner_text()
    with server() as fresh:
        page = visit(link, server=fresh)
        expect(page.locator("h1")).to_have_text(ZH["attention.question"])
        expect(page.get_by_label(ZH["frame.sentence"])).to_have_value(BUCH)
        locked(page, *OTHER, "decoder")
        expect(tokens(page, "query")).to_have_text(list(run(BUCH).trace.target_tokens))
        assert figure(page).inner_text() == expected
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()


def test_a_link_that_was_copied_opens_what_was_seen(visit: Visits) -> None:
    page = visit("/", permissions=["clipboard-read", "clipboard-write"])
    type_sentence(page, BUCH)
    page.get_by_role("button", name=EN["take.link"]).click()
    expect(page.get_by_role("button", name=EN["take.link_done"])).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    other = visit.again(link.removeprefix(f"http://{urlsplit(link).netloc}"))
    expect(other.locator(".st-key-target")).to_have_text(run(BUCH).text)


# the map of the model


def test_the_doors_of_the_map_open_their_pages(visit: Visits) -> None:
    page = visit.again(path("start", sentence=BUCH))
    doors = page.locator("[data-door]")
    expect(doors).to_have_count(9)  # each block but the encoder's output
    addresses = [urlsplit(door.get_attribute("href") or "") for door in doors.all()]
    assert {address.path.strip("/") for address in addresses} <= {name.strip("/") for name in ADDRESSES.values()}
    for kind in ATTENTION_KINDS:
        door = page.locator(f"[data-block={'cross_attention' if kind == 'cross' else f'{kind}_self_attention'}]")
        if kind == "decoder":  # a door is for the keyboard too
            door.focus()
            page.keyboard.press("Enter")
        else:
            door.click()
        expect(page.locator("h1")).to_have_text(EN["attention.question"])
        expect(page.locator(".gf-attention[data-view=matrix]")).to_be_visible()
        idle(page)
        expect(figure(page)).to_have_attribute("data-locked-kind", kind)
        has_address(page, sentence=BUCH, attention_kind=kind)
        expect(page).to_have_url(re.compile("/attention\\?"))
        # Back leads to where one came from
        page.go_back()
        expect(page.locator("h1")).to_have_text(EN["start.question"])
        expect(page.locator(".st-key-source")).to_have_text(BUCH)
        idle(page)


# everyone


def test_a_quick_second_choice_is_not_lost(visit: Visits) -> None:
    """Two sentences, the second before the first has run: the browser still holds the older URL then."""
    page = visit.again("/")
    field = page.get_by_label(EN["frame.sentence"], exact=True)
    for sentence in (KINO, "Ich bin müde.", BUCH):
        field.fill(sentence)
        field.press("Enter")
    idle(page)
    expect(page.locator(".gf-sentence")).to_have_text(BUCH)
    expect(field).to_have_value(BUCH)
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("sentence") == [BUCH])
