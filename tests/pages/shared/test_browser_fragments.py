"""A control draws its own part of the page again; the rest stands, and knows what was chosen all the same."""

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.load import component_code
from pages.shared.text.words import all_texts
from tests.browser import Visits, has_address, idle, pressed, type_sentence
from viz.components.attention import FRONTEND

EN = all_texts("en")
MOST = """key => {
    window.most = 1;
    const count = () => { most = Math.max(most, document.querySelectorAll(`.st-key-${key}`).length); };
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
}"""


def choose(page: Page, key: str, label: str) -> None:
    page.locator(f".st-key-{key}").get_by_role("radio", name=label, exact=True).click()
    pressed(page, key, label)
    idle(page)


def follow(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name=EN[f"pages.{name}"], exact=True).click()
    expect(page.locator("h1")).to_have_text(EN[f"{name}.question"])
    idle(page)


def test_a_control_draws_no_more_than_its_part(visit: Visits) -> None:
    page = visit.again("/primer?show=query")
    before = len(visit.received(page))
    choose(page, "similarity", EN["primer_query.dot"])
    has_address(page, similarity="dot")
    part = visit.received(page)[before:]
    page.locator(".st-key-tour_start button").click()
    has_address(page, tour=1)
    idle(page)
    whole = visit.received(page)[before + len(part) :]
    assert fragments(part) - {""} == fragments(part)  # nothing that stands outside of a part
    assert fragments(whole) > fragments(part)


def fragments(messages: list[bytes]) -> set[str]:
    """The fragments that draw what the messages bring, "" for what stands in none."""
    found = [ForwardMsg.FromString(message) for message in messages]
    drawn = {message.delta.fragment_id for message in found if message.WhichOneof("type") == "delta"}
    assert drawn
    return drawn


def test_the_code_of_a_figure_comes_once(visit: Visits) -> None:
    """As a file, which the browser keeps, and not with each run that draws the figure."""
    page = visit("/attention?head=1&language=en")
    for address in ("/attention?head=2&language=en", "/masks?language=en", "/attention?head=3&language=en"):
        idle(page)
        visit.go(page, address)
    idle(page)
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    files = [name.rpartition("/")[2] for name in loaded if f"{component_code.PATH}/" in name]
    assert {name.partition(".")[0] for name in files} >= {"contents", "attention", "matrix"}
    assert len(files) == len(set(files))
    line = max(FRONTEND.js.splitlines(), key=len).encode()
    assert not any(line in message for message in visit.received(page))


def test_links_beside_a_part_know_what_was_chosen_in_it(visit: Visits) -> None:
    page = visit.again("/attention?head=1&language=en")
    choose(page, "head", "3")
    has_address(page, head=3)
    follow(page, "layers")
    has_address(page, head=3)
    follow(page, "attention")
    pressed(page, "head", "3")
    choose(page, "head", "0")
    has_address(page, head=0)
    page.go_back()  # to what stood there before, not to what was chosen last
    has_address(page, head=3)
    pressed(page, "head", "3")


@pytest.mark.thorough
def test_what_was_said_of_a_link_goes_with_the_next_choice(visit: Visits) -> None:
    page = visit.again("/attention?layer=nothing&language=en")
    notice = page.locator("[class*=st-key-notice_warning]")
    expect(notice).to_contain_text("nothing")
    page.evaluate(MOST, "head")
    choose(page, "head", "3")
    expect(notice).to_have_count(0)
    has_address(page, head=3)
    assert page.evaluate("most") == 1  # what stands below keeps its place: no control ever stood twice


def test_what_stands_below_notices_stands_once(visit: Visits) -> None:
    page = visit.again("/?language=en&sentence=Das+ist+xyzzy.")
    page.evaluate(MOST, "source")
    for sentence in ("Das Haus ist grün.", "<img src=x>", "שלום Buch", "🎈"):  # each with another number of notices
        type_sentence(page, sentence)
    assert page.evaluate("most") == 1


def test_another_sentence_is_drawn_by_every_part(visit: Visits) -> None:
    page = visit.again("/masks?language=en&sentence=Das+ist+xyzzy.")
    page.locator(".st-key-examples button").first.click()  # it stands where the notice is
    idle(page)
    expect(page.locator("[class*=st-key-notice_warning]")).to_have_count(0)
    expect(page.get_by_label(EN["frame.sentence"], exact=True)).not_to_have_value("Das ist xyzzy.")
    expect(page.locator(".st-key-batch_tables")).not_to_contain_text("xyz")
