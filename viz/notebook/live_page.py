"""A live page, in which the model itself runs, inside a notebook."""

from __future__ import annotations

import re
from html import unescape
from os import PathLike
from pathlib import Path

from ..standalone.frame import iframe

_TITLE = re.compile(r"<title>([^<]*)</title>")
_OURS = '<meta name="generator" content="Glassformer">'
_ALONE = "connect-src &#39;none&#39;"  # a single file asks for nothing; a page of a folder asks for the files beside it
_HEAD = 4000  # characters within which a page says what it is


class LivePage:
    """Live page that displays itself in a frame `height` px high; `html` is the file."""

    def __init__(self, html: str, height: int):
        self.html, self.height = html, height
        title = _TITLE.search(html)
        self.title = unescape(title[1]) if title else "Glassformer"

    def _repr_html_(self) -> str:
        return iframe(self.html, self.title, self.height)

    def __repr__(self) -> str:
        return f"<glassformer live page: {self.title}>"


def live(path: str | PathLike[str], *, height: int = 760) -> LivePage:
    """A live page in a cell: the model runs in the browser of whoever opens the notebook.

    path     a file that `python -m model live NAME --single --out FOLDER` has written, or a folder that holds one. It
             becomes a part of the notebook: 9 MB for a small model
    height   of its frame, in px

    Raises ValueError for another file, FileNotFoundError where there is none.

    >>> live("build/de-en.html")
    """
    file = Path(path)
    if file.is_dir():
        file = _only_page(file)
    html = file.read_text(encoding="utf-8", errors="replace")
    if _OURS not in html[:_HEAD]:
        raise ValueError(f"{file} is not a live page; python -m model live NAME --single --out FOLDER writes one.")
    if _ALONE not in html[:_HEAD]:
        raise ValueError(
            f"{file} needs the files beside it, which a notebook cannot bring: write a page of one file with "
            f"python -m model live NAME --single --out FOLDER."
        )
    return LivePage(html, height)


def _only_page(folder: Path) -> Path:
    pages = sorted(folder.glob("*.html"))
    if len(pages) != 1:
        names = ", ".join(page.name for page in pages[:4])
        raise ValueError(
            f"{folder} holds {len(pages)} pages; choose one of {names}." if pages else f"{folder} holds no page."
        )
    return pages[0]
