"""Own models in a browser: uploaded, used, there after a reload, downloaded the same, and seen by nobody else."""

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from model.checkpoint.catalogue import Entry
from model.upload.upload_check import pack, unpack
from pages.shared.text.words import all_texts
from tests.browser import Visits, idle
from tests.model.upload.test_check_recording import arrays, packed
from tests.samples import KINO, SAMPLES

EN = all_texts("en")


def send(page: Page, data: bytes) -> None:
    file = {"name": "de-en.zip", "mimeType": "application/zip", "buffer": data}
    page.locator(".st-key-upload input[type=file]").set_input_files(file)


def test_an_uploaded_model_is_this_reader_s_alone(visit: Visits, tmp_path: Path) -> None:
    page = visit("/checkpoints")
    sample = pack(Entry(SAMPLES / "de-en"))
    send(page, sample[:10_000])
    expect(page.locator("[class*=st-key-notice_error]")).to_be_visible()
    send(page, sample)
    expect(page.locator(".st-key-own_my-de-en")).to_be_visible()
    expect(page.locator("[class*=st-key-notice_error]")).to_have_count(0)
    with page.expect_download() as download:
        page.locator("[data-key=download_my-de-en]").click()
    download.value.save_as(tmp_path / "again.zip")
    again = unpack((tmp_path / "again.zip").read_bytes(), tmp_path)
    weights = "model.safetensors"
    assert again.name == "my-de-en"
    assert (again.folder / weights).read_bytes() == (SAMPLES / "de-en" / weights).read_bytes()
    page.locator(".st-key-use_my-de-en button").click()
    page.wait_for_url("**checkpoint=my-de-en**")
    expect(idle(page).get_by_text(KINO).first).to_be_visible()
    page.reload()
    idle(page)
    assert "checkpoint=my-de-en" in page.url
    expect(page.locator("[class*=st-key-notice_warning]")).to_have_count(0)
    other = visit.again(page.url.removeprefix(visit.address))
    text = EN["notice.own_checkpoint"].format(value="my-de-en", used="de-en")
    expect(other.locator("[class*=st-key-notice_warning]")).to_have_text(text)


@pytest.mark.thorough
def test_a_recording_is_opened_and_its_heads_are_shown(visit: Visits) -> None:
    page = visit("/checkpoints")
    page.locator(".st-key-recording summary").click()
    file = {"name": "bert.npz", "mimeType": "application/zip", "buffer": packed(arrays())}
    page.locator(".st-key-recording input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-own_my-bert")).to_be_visible()
    page.locator(".st-key-use_my-bert button").click()
    page.wait_for_url("**checkpoint=my-bert**")
    expect(idle(page).locator(".st-key-attention").get_by_text("▁bist").first).to_be_visible()
    page.locator(".gf-contents").get_by_text(EN["pages.layers"]).click()
    lacks = EN["recording.needs_model"].format(name="my-bert", missing=EN["recording_lacks.layers"])
    expect(page.locator("[class*=st-key-notice_info]")).to_have_text(lacks)
    page.locator(".st-key-without_model").get_by_text(EN["pages.attention"]).click()
    expect(idle(page).locator(".st-key-attention").get_by_text("▁bist").first).to_be_visible()


@pytest.mark.thorough
def test_on_a_phone_no_model_of_the_shelf_lies_over_another(visit: Visits) -> None:
    page = visit("/checkpoints?card=dates", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    choice, shelf = page.locator(".st-key-tile_chosen"), page.locator(".st-key-shelf")
    expect(choice).to_be_in_viewport(ratio=0.99)  # it may end between two pixels
    for left in (0, 400, 9999):
        shelf.evaluate("(shelf, left) => { shelf.scrollLeft = left; }", left)
        boxes = [tile.bounding_box() for tile in page.locator("[class*=st-key-tile_]").all()]
        edges = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
        assert all(end <= start for (_, end), (start, _) in pairwise(edges)), left


def test_the_model_in_view_covers_no_other_where_the_list_begins(visit: Visits) -> None:
    page = visit.again("/checkpoints?card=zh-en")  # the last one
    expect(page.locator(".st-key-tile_chosen")).to_be_in_viewport()
    boxes = [tile.bounding_box() for tile in page.locator("[class*=st-key-tile_]").all()]
    edges = sorted((box["y"], box["y"] + box["height"]) for box in boxes if box)
    assert all(end <= start for (_, end), (start, _) in pairwise(edges))
