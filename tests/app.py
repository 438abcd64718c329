"""The app as a user acts on it in a test: open a page, find what it shows, type and click."""

import html
import io
import json
import re
from typing import Any
from urllib.parse import unquote

import pandas as pd
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Button, ButtonGroup
from streamlit.util import calc_hash

from model.checkpoint import catalogue
from pages.shared.session import page_list
from pages.shared.text.words import all_texts, filled
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.downloads.file_menu import File
from tests.samples import ROOT, SAMPLES
from viz.html.prose import MARK


def click(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


PAGES = tuple(page_list.pages())
READING_PAGES = tuple(name for name, page in page_list.pages().items() if page.needs == "sentence")
CARD = json.loads((SAMPLES / "de-en" / "card.json").read_text(encoding="utf-8"))


def visit(page: str, language: str = "en", **address: str) -> AppTest:
    """Open an address, as a link does: nothing else is known of this user."""
    app = AppTest.from_file(str(ROOT / "pages" / "shell.py"), default_timeout=60)
    first = {"checkpoint": "de-en"} if language in catalogue.FIRST_FOR else {}  # so that all see the same model
    for key, value in ({"language": language} | first | address).items():
        app.query_params[key] = value
    if page != "start":
        app._page_hash = calc_hash(page)  # before the first run `switch_page` looks for a file of that name
    app.run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def go(app: AppTest, page: str, **address: str) -> AppTest:
    """To another page, as a link of the list does."""
    app.query_params.clear()
    for key, value in ({"language": "en"} | address).items():
        app.query_params[key] = value
    app._page_hash = calc_hash(page)
    app.run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def enter(app: AppTest, sentence: str) -> AppTest:
    app.text_input(key="sentence").set_value(sentence).run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def contents(app: AppTest) -> dict[str, dict[str, str]]:
    """The list of pages: the parameters that the link of each title has."""
    [proto] = [each.proto for each in app.sidebar.get("bidi_component") if each.proto.component_name == "contents"]
    data = json.loads(json.loads(proto.json))
    return {page["title"]: data["common"] | page["own"] for each in data["sections"] for page in each["pages"]}


def keys(app: AppTest) -> set[str]:
    """The keys of all containers and elements on the page."""
    result = set()

    def walk(block: Block) -> None:
        for child in block.children.values():
            result.add(getattr(child.proto, "id", "").rpartition("-")[2])
            if isinstance(child, Block):
                walk(child)

    walk(app.main)
    return result


def inside(app: AppTest, key: str) -> list[str]:
    """The texts in every container whose key is, or begins with, `key`; HTML as it is read, without its tags.

    The definitions of marked terms are left out: they are shown on demand.
    """
    result: list[str] = []

    def walk(block: Block, within: bool) -> None:
        for child in block.children.values():
            if isinstance(child, Block):
                name = getattr(child.proto, "id", "").rpartition("-")[2]
                walk(child, within or name == key or (key.endswith("_") and name.startswith(key)))
            elif within and child.type == "html":
                result.append(html.unescape(re.sub(r"<aside.*?</aside>|<[^>]*>", "", child.proto.body)))
            elif within and child.type == "text":
                result.append(child.proto.body)

    walk(app.main, False)
    return result


def said(app: AppTest) -> list[str]:
    """Every notice on the page."""
    assert not (*app.warning, *app.error, *app.info)  # they read Markdown
    return inside(app, "notice_")


def shown(app: AppTest) -> list[str]:
    """The sentence and its translation."""
    return [*inside(app, "source"), *inside(app, "target")]


def sentence(language: str, key: str, **values: object) -> str:
    """A text as it is read, its terms without their marks."""
    text = MARK.sub(lambda mark: mark[2] or all_texts(language)[f"term_{mark[1]}.name"], all_texts(language)[key])
    return filled(text, values)


def controls(app: AppTest) -> dict[str, ButtonGroup]:
    return {group.key or "": group for group in app.main.button_group}


def nothing_is_marked_up(app: AppTest) -> None:
    """Whatever goes through Markdown has every mark of it taken away."""
    for element in (*app.markdown, *app.caption, *app.warning, *app.error, *app.info):
        for mark in ("![", "](", "<b>", "<script", "**fett", "$x^2", ":red[", "`code"):
            assert mark not in element.value, element.value


def downloads(app: AppTest) -> dict[str, File]:
    """The files that the page offers, by their keys."""
    links = (re.findall(r'href="([^"]+)" download', element.proto.body) for element in app.main.get("html"))
    results = [file_menu.find(*map(unquote, address.split("/")[-2:])) for addresses in links for address in addresses]
    return {file.key: file for file in results if file}


def table(app: AppTest, key: str, **settings: Any) -> pd.DataFrame:
    """A CSV that the page offers, as a user opens it; `settings` of pandas."""
    return pd.read_csv(io.BytesIO(downloads(app)[f"csv_{key}"].make()), encoding="utf-8-sig", **settings)


def place(app: AppTest) -> dict[str, object]:
    """The controls for kind, layer and head, and what they stand at."""
    return {key: group.value for key, group in controls(app).items() if key in CARD["first_look"]}


def buttons(app: AppTest) -> list[Button]:
    """Buttons beside that of the tour."""
    return [button for button in app.main.button if button.key != "tour_start"]
