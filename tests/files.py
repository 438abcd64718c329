"""Files as a user downloads them in a browser, and what each kind must hold."""

import csv
import io
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

from playwright.sync_api import Locator, Page


def download(page: Page, link: Locator) -> bytes:
    """The file behind a link, by a click on it, in the menu of its figure or beside others."""
    menu = link.locator("xpath=ancestor::details")
    if menu.count() and menu.get_attribute("open") is None:
        menu.locator("summary").click()
    with page.expect_download() as arriving:
        link.click()
    assert arriving.value.suggested_filename == link.get_attribute("download")
    return Path(arriving.value.path()).read_bytes()


def lines(content: bytes) -> list[object]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def _marks(content: bytes) -> list[object]:
    return [node for node in ElementTree.fromstring(content).iter() if node.tag.endswith(("rect", "path", "text"))]


def _png(content: bytes) -> list[object]:
    """Width and height, if it is one and neither is 0."""
    sizes = struct.unpack(">II", content[16:24]) if content.startswith(b"\x89PNG\r\n\x1a\n") else (0, 0)
    return list(sizes) if all(sizes) else []


READ: dict[str, Callable[[bytes], list[object]]] = {
    "csv": lines,
    "svg": _marks,
    "json": json.loads,
    "html": lambda content: re.findall(r'<div class="part">', content.decode()),
    "png": _png,
    "zip": lambda content: list(ZipFile(io.BytesIO(content)).namelist()),
}
