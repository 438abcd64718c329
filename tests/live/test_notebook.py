"""A live page in a cell of a notebook."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import glassformer


@pytest.mark.sample(2)
@pytest.mark.parametrize("notebook", ["", 'sandbox="allow-scripts allow-forms"'], ids=["same origin", "kept apart"])
def test_the_model_answers_in_a_cell(live_folder: Path, browser: Browser, tmp_path: Path, notebook: str) -> None:
    """Jupyter draws outputs in its own page, others in a frame of another origin."""
    cell = glassformer.live(live_folder / "single")._repr_html_().replace("<iframe", f"<iframe {notebook}", 1)
    (tmp_path / "x.html").write_text(f"<!doctype html><body>{cell}</body>", encoding="utf-8")
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "x.html").as_uri())
    frame = page.frame_locator("iframe[title='Glassformer: de-en']")
    expect(frame.locator("body")).to_have_attribute("data-ready", "de-en", timeout=30_000)
    frame.get_by_label("Sentence").first.fill("Der Hund schläft.")
    frame.get_by_label("Sentence").first.press("Enter")
    expect(frame.locator("[data-output]")).to_have_attribute("data-output", "The dog is sleeping.")
    assert complaints == []
    page.close()


def test_other_files_are_refused_with_a_sentence(live_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs the files beside it"):
        glassformer.live(live_folder / "index.html")
    (tmp_path / "x.html").write_bytes(b"<p>\xff")
    with pytest.raises(ValueError, match=r"x\.html is not a live page"):
        glassformer.live(tmp_path)
    (tmp_path / "y.html").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r"holds 2 pages; choose one of x\.html, y\.html"):
        glassformer.live(tmp_path)
    with pytest.raises(FileNotFoundError):
        glassformer.live(tmp_path / "z.html")
    with pytest.raises(ValueError, match="holds no page"):
        glassformer.live(tmp_path.joinpath("empty").mkdir() or tmp_path / "empty")
