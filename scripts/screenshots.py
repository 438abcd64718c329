"""Take the pictures of the user guide and of the README from the running app, and the films for previews of links.

    make screenshots
    python -m scripts.screenshots --only train sheet     # these alone

Pictures go to docs/images/LANGUAGE/, 1280 × 800, light, with 256 colours or fewer; the English start page also to
docs/start.png. Films go to the folders of their pages, as preview_LANGUAGE.gif. The app is started on a free
port. Chinese needs a font, such as Debian's fonts-noto-cjk.
"""

import argparse
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from pages.shared.text.words import all_texts
from tests.browser import PATIENCE, Contexts, Visits, idle, launch, path
from tests.samples import ROOT
from tests.server import server

IMAGES = ROOT / "docs/images"
SIZE = {"width": 1280, "height": 800}
MOST = 120_000  # bytes
MOST_OF_FILM = 1_000_000
FILMS = {"start": ".gf-film", "sheet": ".gf-film-file"}  # what makes the film of a page
TEXTS = {
    "en": {"checkpoint": "de-en", "sentence": "Wir gehen heute ins Kino."},
    "zh": {"checkpoint": "zh-en", "sentence": "我今天没有时间。"},
    "es": {"checkpoint": "es-en", "sentence": "Hoy vamos al cine."},
}
RUN: dict[str, object] = {"task": "reverse", "d_model": 32}  # a minute of one core


@dataclass(frozen=True)
class View:
    """A page, the settings in its address, and what is done on it."""

    page: str
    settings: dict[str, object] = field(default_factory=dict)
    act: Callable[[Page, str], None] | None = None


def train(page: Page, language: str) -> None:
    """Start the run and wait for its end."""
    words = all_texts(language)  # type: ignore[arg-type]
    page.get_by_role("button", name=words["train.start"], exact=True).click()
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "finished", timeout=8 * PATIENCE)


VIEWS = {
    "start": View("start"),
    "course": View("course", {"step": "lookup"}),
    "sheet": View("sheet"),
    "attention": View("attention"),
    "intervene": View("intervene", {"changes": "off:encoder.*.*"}),
    "why": View("why"),
    "train": View("train", RUN, train),
    "lessons": View("class", {"show": "lessons"}),
}


def take(visit: Callable[[str], Page], view: View, language: str) -> bytes:
    """The picture of a view as PNG."""
    page = shown(visit, view, language)
    if view.act:
        view.act(page, language)
    idle(page)
    page.evaluate(
        "async () => { await document.fonts.ready; for (const _ of '12') await new Promise(requestAnimationFrame); }"
    )
    return smaller(page.screenshot(animations="disabled", caret="hide"))


def shown(visit: Callable[[str], Page], view: View, language: str) -> Page:
    """The view, when its model is loaded."""
    page = visit(path(view.page, language=language, **TEXTS[language], **view.settings))
    note = all_texts(language)["start.recorded"]  # type: ignore[index]
    expect(page.get_by_text(note)).to_have_count(0, timeout=4 * PATIENCE)
    return idle(page)


def film(visit: Callable[[str], Page], name: str, language: str) -> bytes:
    """The film of a page, as its menu makes it. Raises ValueError for one that is too large for a preview."""
    page = shown(visit, VIEWS[name], language)
    button = page.locator(FILMS[name])
    button.locator("xpath=ancestor::details/summary").click()
    with page.expect_download(timeout=8 * PATIENCE) as arriving:
        button.click()
    gif = Path(arriving.value.path()).read_bytes()
    if len(gif) > MOST_OF_FILM:
        raise ValueError(f"The film of {name} has {len(gif)} bytes; previews of links take {MOST_OF_FILM}.")
    return gif


def smaller(png: bytes) -> bytes:
    """The same picture with as many colours of a palette as fit into `MOST` bytes; with 32 at least."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in (256, 128, 64, 32):
        file = io.BytesIO()
        picture.quantize(colours, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
        if file.tell() <= MOST:
            break
    return file.getvalue()


def has_chinese_font() -> bool:
    """Whether the system has one; without fontconfig nobody knows, and the picture shows it."""
    if not shutil.which("fc-list"):
        return True
    return bool(subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", choices=VIEWS, default=list(VIEWS), help="these views (default: all)")
    options = parser.parse_args()
    if not has_chinese_font():
        sys.exit("No font for Chinese is installed: install one, such as Debian's fonts-noto-cjk.")
    os.chdir(ROOT)
    with server() as address, sync_playwright() as playwright:
        browser = launch(playwright)
        visits = Visits(Contexts(browser), address)

        def visit(path: str) -> Page:
            return visits(path, viewport=SIZE, color_scheme="light", reduced_motion="reduce")

        for name in options.only:
            for language in TEXTS:
                png = take(visit, VIEWS[name], language)
                file = IMAGES / language / f"{name}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(png)
                print(f"{file.relative_to(ROOT)}  {len(png) / 1000:.0f} kB", flush=True)
                if (name, language) == ("start", "en"):
                    (ROOT / "docs/start.png").write_bytes(png)
            if name in FILMS:
                for language in TEXTS:
                    gif = film(visit, name, language)
                    file = ROOT / f"pages/{name}/preview_{language}.gif"
                    file.write_bytes(gif)
                    print(f"{file.relative_to(ROOT)}  {len(gif) / 1000:.0f} kB", flush=True)
        visits.end()
        browser.close()


if __name__ == "__main__":
    main()
