"""The sheet in a browser: what is drawn is what the model computed, and one finds the way to a number and back."""

import random
import re
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from model.analysis.sheet.parts import Part
from model.checkpoint.catalogue import Entry
from pages.shared.text.words import all_texts
from pages.sheet.source import SheetRequest, Source, find, placed, token
from pages.start.output_so_far import written
from tests.browser import Visits, has_address, idle, path, run, speak
from tests.films import MOST, plays, save
from tests.samples import BUCH, KINO, SAMPLES
from tests.viz.colours import signed_colour, weight_colour
from viz.palette import SURFACE
from viz.sheet import tiles
from viz.sheet.layout import Layout, Piece, layout

EN, ZH = all_texts("en"), all_texts("zh")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def source(warm: None) -> Source:
    result = find(token(SheetRequest(Entry(SAMPLES / "de-en"), KINO)))
    assert result
    return result


@pytest.fixture(scope="module")
def whole(source: Source) -> Layout:
    return layout(placed(source.sheet))


def sheet(page: Page) -> Locator:
    return page.locator(".gf-sheet")


def canvas(page: Page) -> Locator:
    return page.locator(".gf-sheet-canvas")


def camera(page: Page) -> tuple[float, float, float]:
    """x, y and k: where the corner of the sheet is in the window, and how many pixels a cell has."""
    expect(sheet(page)).to_have_attribute("data-k", re.compile("."))  # it is drawn
    x, y, k = (float(sheet(page).get_attribute(f"data-{name}") or "nan") for name in "xyk")
    return x, y, k


def look(visit: Visits, page: Page, whole: Layout, x: float, y: float, k: float) -> None:
    """Open the address with the place (x, y) in the middle, at k pixels for a cell."""
    box = canvas(page).bounding_box()
    assert box
    place = (x / whole.width, y / whole.height, k * whole.width / box["width"])
    visit.go(page, f"/sheet?camera={quote(','.join(f'{number:.8f}' for number in place))}")


def visible(
    page: Page, source: Source, whole: Layout, count: int, left: int = 0
) -> list[tuple[Part, int, int, float, float]]:
    """Cells drawn from all in view, `left` pixels from its edge: part, row, column, and the middle in the window."""
    x, y, k = camera(page)
    box = canvas(page).bounding_box()
    assert box
    result = []
    for piece in whole.pieces:
        for row, column in _cells(piece, x, y, k, (left, box["width"]), box["height"]):
            place = ((piece.x + column + 0.5) * k + x, (piece.y + row + 0.5) * k + y)
            part = source.sheet.parts[source.keys[piece.part]]
            result.append((part, piece.row + row, piece.column + column, *place))
    return random.Random(f"{x} {y}").sample(result, min(count, len(result)))


def _cells(
    piece: Piece, x: float, y: float, k: float, width: tuple[float, float], height: float
) -> list[tuple[int, int]]:
    def inside(start: float, count: int, shift: float, low: float, high: float) -> range:
        first = max(0, int(np.ceil((low - shift) / k - start)))
        return range(first, min(count, int(np.floor((high - shift) / k - start))))

    rows = inside(piece.y, piece.rows, y, 44, height)  # above stand the way and the tokens of columns
    columns = inside(piece.x, piece.columns, x, *width)
    return [(row, column) for row in rows for column in columns]


def colour(part: Part, row: int, column: int) -> str:
    value, full = float(part.array[row, column]), tiles.full(part.array)
    if not np.isfinite(value):
        return SURFACE["light"]["soft"]
    code = int(tiles.codes(np.array([[value]]), full)[0, 0])
    share = min(abs(code - tiles.ZERO) * 2, 255) / 255
    if part.role == "weights":
        kind = "cross" if part.location.sublayer == "cross_attention" else part.location.side
        return weight_colour(share, kind, "light")
    return signed_colour(-share if code < tiles.ZERO else share, "light")


PLACES = (  # a part of each sort, and how large its cells are
    ("encoder.0.self_attention.q.weight[2]", 6), ("encoder.1.self_attention.weights[3]", 20),
    ("decoder.2.cross_attention.k.T[0]", 8), ("source_embedding.weight", 3), ("output.weight", 3),
    ("decoder.0.feed_forward.output.weight", 4), ("decoder.1.cross_attention.masked_scores[1]", 20),
    ("encoder_norm.weight", 9), ("logits", 5),
)  # fmt: skip


def middle(source: Source, whole: Layout, name: str) -> tuple[float, float]:
    keys = [key for key in source.keys if key == name] or [key for key in source.keys if key.startswith(name[:-6])]
    piece = next(piece for piece in whole.pieces if source.keys[piece.part] == keys[0])
    return piece.x + piece.columns / 2, piece.y + piece.rows / 2


@pytest.mark.thorough
def test_the_colours_are_those_of_the_numbers(visit: Visits, source: Source, whole: Layout) -> None:
    read = 0
    kinds = set()
    page = visit.again("/sheet")
    for name, k in PLACES:
        look(visit, page, whole, *middle(source, whole, name), k)
        cells = visible(page, source, whole, 130, left=100)  # there the tokens of rows
        pixels = canvas(page).evaluate(
            """(canvas, places) => places.map(([x, y]) => {
                const ratio = canvas.width / canvas.clientWidth;
                const [left, top] = [x * ratio, y * ratio].map(Math.floor);
                return [...canvas.getContext("2d").getImageData(left, top, 1, 1).data];
            })""",
            [[x, y] for _, _, _, x, y in cells],
        )
        for (part, row, column, _, _), pixel in zip(cells, pixels, strict=True):
            rgb = [int(colour(part, row, column)[i : i + 2], 16) for i in (1, 3, 5)]
            assert np.abs(np.subtract(pixel[:3], rgb)).max() <= 3, (name, part.key, row, column, pixel, rgb)
            kinds.add(part.kind)
        read += len(cells)
    assert read >= 1000
    assert kinds == {"weight", "value", "derived", "copy"}


def spelled(value: float) -> str:
    """Three decimals; a smaller number as a power of ten."""
    if not np.isfinite(value):
        return "−∞"
    size = abs(value)
    text = f"{size:.0e}".replace("e-0", "e−") if 0 < size < 0.0005 else f"{size:.3f}"
    return ("−" if value < 0 else "") + text


def test_the_numbers_are_the_models_and_the_picture_can_be_saved(visit: Visits, source: Source, whole: Layout) -> None:
    read = 0
    page = visit.again("/sheet")
    for name, _ in PLACES:
        look(visit, page, whole, *middle(source, whole, name), 50)
        page.locator(".gf-save summary").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=EN["sheet_figure.svg"], exact=True).click()
        texts = ElementTree.parse(download.value.path()).iter(f"{SVG}text")
        at = {(float(t.get("x", 0)), float(t.get("y", 0))): t.text for t in texts}
        for part, row, column, x, y in visible(page, source, whole, 400):
            near = next((text for (a, b), text in at.items() if abs(a - x) < 2 and abs(b - y) < 6), None)
            on_screen, value = near, float(part.array[row, column])
            if on_screen != spelled(value):  # the last digit of a number that lies between two
                assert on_screen
                assert float(on_screen.replace("−", "-")) == pytest.approx(value, abs=6e-4), (part.key, row, column)
            read += 1
    assert read >= 1000


def test_the_keyboard_leads_to_a_number_and_the_link_to_the_same_one(visit: Visits) -> None:
    page = visit.again("/sheet")
    start = camera(page)[2]
    canvas(page).focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.locator(".gf-name")).to_have_text("encoder.position")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    has_address(page, cell="encoder.position,1,1")
    expect(page.locator(".gf-value")).to_contain_text("row 1 “Wir”, column 1 (from 0): ")
    expect(page.locator(".gf-value [lang=de]")).to_have_text("Wir")
    expect(page.locator(".gf-sum")).to_contain_text("cos(")
    expect(sheet(page)).to_have_attribute("data-k", re.compile(r"^[5-9]\d"))
    expect(page).to_have_url(re.compile(r"camera=[\d.]+%2C[\d.]+%2C5\d\d"))  # so many sheets wide, at 60 pixels a cell
    idle(page)
    other = visit.again(page.url.removeprefix(visit.address), by="another reader")
    expect(other.locator(".gf-value")).to_have_text(page.locator(".gf-value").inner_text())
    expect(sheet(other)).to_have_attribute("data-k", re.compile(r"^[5-9]\d"))
    canvas(page).focus()
    for _ in range(6):
        page.keyboard.press("Escape")
    expect(page.locator(".gf-about")).to_be_hidden()
    expect(sheet(page)).to_have_attribute("data-k", re.compile(rf"^{start:.3f}"[:5]))


@pytest.mark.thorough
def test_a_sum_leads_back_to_its_row(visit: Visits, source: Source) -> None:
    page = visit.again("/sheet?cell=decoder.1.cross_attention.scores[2],3,4")
    parts = source.sheet.parts
    query, key = parts["decoder.1.cross_attention.q[2]"].array[3], parts["decoder.1.cross_attention.k[2]"].array[4]
    largest = int(np.abs(query * key).argmax())
    expect(page.locator(".gf-sum").first).to_contain_text(spelled(float(query[largest])))
    expect(page.locator(".gf-sum")).to_have_count(2)
    expect(page.locator(".gf-sum").nth(1)).to_contain_text("÷ √d_k")
    page.get_by_role("button", name="decoder.1.cross_attention.q[2]").click()
    expect(page.locator(".gf-name")).to_have_text("decoder.1.cross_attention.q[2]")
    has_address(page, cell=f"decoder.1.cross_attention.q[2],3,{largest}")
    page.go_back()  # camera and cell in one
    expect(page.locator(".gf-name")).to_have_text("decoder.1.cross_attention.scores[2]")
    page.go_forward()
    expect(page.locator(".gf-name")).to_have_text("decoder.1.cross_attention.q[2]")
    page.get_by_role("button", name=EN["sheet_figure.open"]).click()
    idle(page)
    has_address(page, attention_kind="cross", layer=1, head=2)


@pytest.mark.thorough
def test_the_film_shows_what_is_computed_so_far(visit: Visits, source: Source, whole: Layout) -> None:
    page = visit.again("/sheet")
    expect(page.locator(".gf-said")).to_have_text(EN["sheet_figure.film"])
    page.get_by_role("button", name=EN["sheet_figure.step"], exact=True).click()
    expect(page.locator(".gf-said")).to_contain_text(EN["sheet_role.embedding"])
    page.get_by_role("button", name=EN["sheet_figure.back"], exact=True).click()
    page.get_by_role("button", name=EN["sheet_figure.end"], exact=True).click()
    expect(page.locator(".gf-said")).to_have_text(EN["sheet_figure.film"])
    page.get_by_role("button", name=EN["sheet_figure.back"], exact=True).click()
    expect(page.locator(".gf-said")).to_contain_text(EN["sheet_figure.writes_end"].format(token="<eos>"))
    stops = int(page.locator(".gf-stops").get_attribute("max") or 0)
    page.locator(".gf-stops").fill(str(stops - 2))
    text = page.locator(".gf-said").inner_text()
    assert "computed once" in text, text
    has_address(page, film=stops - 2)
    speak(page, "zh")
    expect(page.locator(".gf-said")).to_contain_text(f"第 {stops - 1} 步")


def test_the_list_has_every_part_and_the_table_every_number(visit: Visits, source: Source) -> None:
    page = visit.again("/sheet")
    page.locator(".gf-tree > summary").click()
    expect(page.locator(".gf-part")).to_have_count(len(source.keys))
    page.locator(".gf-search input").fill("cross_attention.weights[1]")
    page.locator(".gf-search input").press("Enter")
    expect(page.locator(".gf-name")).to_have_text("decoder.0.cross_attention.weights[1]")
    page.locator(".gf-save summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=EN["sheet_figure.csv"], exact=True).click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 1 + source.sheet.parts["decoder.0.cross_attention.weights[1]"].array.size


@pytest.mark.thorough
def test_a_search_without_a_result_is_told_until_the_next(visit: Visits) -> None:
    page = visit.again("/sheet")
    page.locator(".gf-search input").fill("nothing like this")
    page.locator(".gf-search input").press("Enter")
    expect(page.locator(".gf-notice")).to_contain_text("nothing like this")
    with page.expect_response("**/tiles?*"):  # what arrives later must not take the sentence away
        page.get_by_role("button", name=EN["sheet_figure.closer"], exact=True).click()
    idle(page)
    expect(page.locator(".gf-notice")).to_contain_text("nothing like this")
    page.locator(".gf-search input").fill("cross_attention.weights[1]")
    page.locator(".gf-search input").press("Enter")
    expect(page.locator(".gf-notice")).to_contain_text("1 of 3")
    page.locator(".gf-search input").press("Enter")
    expect(page.locator(".gf-name")).to_have_text("decoder.1.cross_attention.weights[1]")


@pytest.mark.thorough
def test_on_a_phone_the_explanation_stands_below(visit: Visits) -> None:
    page = visit.again("/sheet?cell=encoder.0.self_attention.q[0],1,2", viewport={"width": 390, "height": 844})
    stage, about = (page.locator(name).bounding_box() for name in (".gf-stage", ".gf-about"))
    assert stage
    assert about
    assert stage["y"] + stage["height"] <= about["y"]
    peek = page.locator(".gf-peek")
    expect(peek).to_be_in_viewport()
    expect(peek).to_contain_text("row 1 “Wir”, column 2 (from 0)")
    peek.click()
    expect(page.locator(".gf-value")).to_be_in_viewport()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


@pytest.mark.thorough
def test_another_sentence_and_another_language_keep_the_place(visit: Visits) -> None:
    page = visit.again("/sheet?cell=encoder.0.self_attention.q[0],1,2")
    expect(page.locator(".gf-value")).to_contain_text("row 1 “Wir”")
    field = page.get_by_label(EN["frame.sentence"], exact=True)
    field.fill(BUCH)
    field.press("Enter")
    expect(page.locator(".gf-value")).to_contain_text("row 1 “Wo”")
    idle(page)
    speak(page, "zh")
    expect(page.locator(".gf-film button").first).to_have_text(all_texts("zh")["sheet_figure.play"])
    expect(page.locator(".gf-value")).to_contain_text("行 1“Wo”")
    idle(page)
    assert camera(page)[2] > 50


@pytest.mark.thorough
def test_the_film_shows_the_view_as_it_is_computed(visit: Visits) -> None:
    page = visit.again(path("sheet", language="zh", checkpoint="de-en", sentence=KINO))
    page.locator(".gf-save summary").click()
    with page.expect_download() as arriving:
        page.get_by_role("button", name=ZH["sheet_figure.png"]).click()
    still = Image.open(arriving.value.path()).convert("RGB")
    page.locator(".gf-save summary").click()
    film = save(page, page.locator(".gf-film-file"), "glassformer-de-en-sheet.gif")
    plays(page, film, film.line(-2), written(run(KINO).text, run(KINO).trace.output_tokens))
    assert sum(film.durations) <= MOST
    height, width = (round(side * 960 / max(still.size)) for side in still.size[::-1])
    picture = np.asarray(still.resize((width, height))).astype(int)
    assert np.abs(film.frames[-1][:height].astype(int) - picture).mean() < 6, "at the end all is computed"
    assert (film.frames[1][:height] != film.frames[-1][:height]).any()
