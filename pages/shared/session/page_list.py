"""The pages: what each says of itself, as `PAGE` in `pages/FOLDER/__init__.py`, and all of them in the menu's order."""

from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Literal

SECTIONS = ("", "see", "try", "check", "manage", "advanced")  # of the menu, in its order
HOME = "start"  # the page without a name in its address
_FOLDER = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of the app.

    section   one of `SECTIONS`
    place     its order within the section
    settings  the names of the settings that it reads from its address; a link with another name gets a notice
    sidebar   what it offers beside the language: model and sentence, the model alone, or neither, since these have no
              effect on the page or stand on the page itself
    needs     what it cannot be drawn without: a sentence that the model reads, a model, or nothing
    saves     what it offers as files as it opens: its figures and itself, itself alone, or not even itself
    steps     whether it has steps to try that set something up at once
    in_browser  whether live pages have a view of its name, which can stand in its place (`layout/in_browser.py`)
    own_way   whether it draws the link to the next page itself, or leads to none
    name      its address; the folder's name, unless given
    folder    its folder in `pages/`; `pages` fills it in
    """

    section: str
    place: int
    settings: str = ""
    sidebar: Literal["sentence", "model", "language"] = "sentence"
    needs: Literal["sentence", "model", "nothing"] = "sentence"
    saves: Literal["figures", "page", "nothing"] = "figures"
    steps: bool = True
    in_browser: bool = False
    own_way: bool = False
    name: str = ""
    folder: str = ""


@cache
def pages() -> MappingProxyType[str, Page]:
    """Every page by its name, in the order of the menu: each folder of `pages/` with a `page.py`."""
    folders = [file.parent.name for file in _FOLDER.glob("*/page.py")]
    pages = [_page(folder) for folder in folders]
    in_order = sorted(pages, key=lambda page: (SECTIONS.index(page.section), page.place, page.name))
    return MappingProxyType({page.name: page for page in in_order})


def _page(folder: str) -> Page:
    page: Page = import_module(f"pages.{folder}").PAGE
    return replace(page, name=page.name or folder, folder=folder)


@cache
def contents() -> MappingProxyType[str, tuple[str, ...]]:
    """The names of the pages of each section, in the order of the menu."""
    return MappingProxyType(
        {section: tuple(name for name, page in pages().items() if page.section == section) for section in SECTIONS}
    )


def folder_of(name: str) -> Path:
    """The folder of a page."""
    return _FOLDER / pages()[name].folder
