"""Two models side by side in a browser: one figure follows the other, clicks lock, a link brings it all back."""

import pytest
from playwright.sync_api import Locator, Page, expect

from model.compare import side_by_side
from model.decode.translate import translate
from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible, asked, has_address, idle
from tests.samples import BUCH, german_english

EN = all_texts("en")
ADDRESS = f"/compare?attention_kind=encoder&layer=0&head=1&sentence={BUCH.replace('?', '%3F')}"


def side(page: Page, which: str) -> Locator:
    return page.locator(f".st-key-attention_{which} .gf-attention")


def tile(page: Page, which: str, layer: int, head: int, kind: str = "encoder") -> Locator:
    return page.locator(
        f".st-key-attention_{which} .gf-tile[data-kind={kind}][data-layer='{layer}'][data-head='{head}']"
    )


def shows(page: Page, which: str, layer: int, head: int, name: str = "", kind: str = "encoder") -> None:
    figure = side(page, which)
    for part, value in (("kind", kind), ("layer", layer), ("head", head)):
        expect(figure).to_have_attribute(f"data-{name}{part}", str(value))


def partner(layer: int, head: int) -> tuple[int, int]:
    """The head of the model before training that looks most like one of the trained one."""
    own = german_english()
    start = side_by_side.with_seed(own.model.config, own.tokenizer, 0, "begun")
    both = [side_by_side.flat(translate(one, BUCH).trace.weights("encoder")) for one in (own, start)]
    return divmod(int(side_by_side.alike(*both)[layer * 4 + head].argmax()), 4)


@pytest.mark.thorough
def test_what_is_pointed_at_in_one_is_shown_in_the_other(visit: Visits) -> None:
    page = visit.again(ADDRESS)
    shows(page, "b", *partner(0, 1), "locked-")
    before = visit.frames(page)
    tile(page, "a", 2, 3).hover()
    shows(page, "a", 2, 3)
    shows(page, "b", *partner(2, 3))
    tile(page, "b", 1, 1).hover()
    shows(page, "b", 1, 1)
    page.get_by_role("heading", level=1).hover()
    shows(page, "a", 0, 1)
    shows(page, "b", *partner(0, 1))

    # a cell of one map: the same two words in the other
    map_ = side(page, "a").locator(".gf-map")
    box = map_.bounding_box()
    assert box
    map_.hover(position={"x": box["width"] * 0.9, "y": box["height"] * 0.4})
    rows = [side(page, which).locator(".gf-rows .gf-on") for which in "ab"]
    columns = [side(page, which).locator(".gf-columns .gf-on") for which in "ab"]
    for marks in (rows, columns):
        index = marks[0].get_attribute("data-index")
        expect(marks[1]).to_have_attribute("data-index", str(index))
    expect(columns[1]).to_have_attribute("data-index", str(len(german_english().tokenizer.encode(BUCH)) - 1))
    assert visit.frames(page) == before

    # and with the keyboard, the mouse over nothing that the page could scroll below it
    page.mouse.move(0, 0)
    tile(page, "a", 0, 1).focus()
    page.keyboard.press("ArrowDown")
    shows(page, "a", 1, 1)
    shows(page, "b", *partner(1, 1))
    page.keyboard.press("Enter")
    has_address(page, layer=1, head=1)
    idle(page)


def test_maps_beside_each_other_begin_at_one_height(visit: Visits) -> None:
    page = visit.again("/compare?other=notebook-c")  # six layers of eight heads beside three of four
    maps = page.locator(".gf-map-card")
    expect(maps).to_have_count(2)
    assert len({round(card.bounding_box()["y"]) for card in maps.all()}) == 1
    boxes = [page.locator(f".st-key-{key} input") for key in ("moment", "other_moment")]
    assert len({round(box.bounding_box()["y"]) for box in boxes}) == 1
    page.set_viewport_size({"width": 390, "height": 900})
    page.wait_for_function(
        "walls => walls.every((wall) => !wall.style.minHeight)",
        arg=page.locator(".gf-wall-card").element_handles(),
    )


def test_a_click_locks_and_the_link_brings_it_back(visit: Visits) -> None:
    page = visit.again(ADDRESS)
    tile(page, "a", 2, 3).click()
    has_address(page, layer=2, head=3)
    idle(page)
    shows(page, "b", *partner(2, 3), "locked-")
    tile(page, "b", 0, 2).click()
    has_address(page, other_head=2)
    idle(page)
    shows(page, "b", 0, 2, "locked-")
    shows(page, "a", 2, 3, "locked-")
    again = visit.again(page.url.removeprefix(visit.address), by="another reader")
    assert asked(again) == asked(page)
    shows(again, "a", 2, 3, "locked-")
    shows(again, "b", 0, 2, "locked-")


@pytest.mark.thorough
@pytest.mark.parametrize(("scheme", "shows"), [("light", ("config", "heads")), ("dark", ("config",))])
def test_axe_finds_no_fault_in_what_is_not_seen_first(scheme: str, shows: tuple[str, ...], visit: Visits) -> None:
    page = visit.again(f"/compare?show={shows[0]}&other=notebook-c", color_scheme=scheme)
    accessible(page)
    for show in shows[1:]:
        page.get_by_role("radio", name=EN[f"compare_show.{show}"], exact=True).click()
        has_address(page, show=show)
        idle(page)
        accessible(page, show)
