"""Completes Streamlit's HTML page: our style sheet, Streamlit's scripts for the first elements, and our notices.

Symptom: elements jumped when a style or a script arrived. Cause: Streamlit loads the script of each kind of element
when the first such element arrives, and a style sent as an element comes after the first paint. Therefore both are in
the HTML page, with the height of what comes later (`placeholders.css`). It says what the page is and that it loads
before any script has come (`loading.js`); scripts and fonts are fewer and smaller (`static/`). While the server does
not answer, Streamlit lays an English dialog over the page; `away.js` closes it and shows our sentence in the user's
language. Labels that Streamlit has in English only are translated by `streamlit_words.js`. An address that names no
page is redirected (`redirects.py`).
Tests: `tests/pages/shared/test_layout.py`, `tests/pages/shared/test_browser_layout.py`, `tests/house/test_cold.py`.
"""

import json
from functools import cache
from html import escape
from http import HTTPStatus
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.links import LIVE
from pages.shared.server.redirects import right_address
from pages.shared.server.routes import link_preview
from pages.shared.server.static import fonts, modules
from pages.shared.session import language_choice, page_list
from pages.shared.session.base_path import base
from pages.shared.text.words import all_texts, section
from pages.shared.ui import reserved_space
from viz.html.style import style
from viz.palette import style_sheet
from viz.templates import render

ADMIN = "/admin"
_OTHERS = (ADMIN, f"{LIVE}/")  # where pages begin that are not Streamlit's

_FRONTEND = Path(__file__).parent / "frontend"
_COLORS = ("backgroundColor", "textColor")
_SCRIPTS = (
    "composing.js",
    "language/chinese_marks.js",
    "loading.js",
    "away.js",
    "files.js",
    "keypad.js",
    "page_links.js",
    "language/spoken.js",
    "language/streamlit_words.js",
    "terms.js",
    "language/untranslated.js",
)
# in a frame of a course page there is no list of pages (`frame.css`)
_EMBED = (
    b'<script>if (new URLSearchParams(location.search).get("embed") === "true") '
    b'document.documentElement.dataset.embed = "true";</script>'
)
# so that the page comes whole, and is not kept by the browser when only the style has changed
_ASKED = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
_ANSWERED = ("etag", "last-modified", "accept-ranges")


class PageHtml:
    """ASGI middleware that completes every HTML page."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET" and _wants_page(scope):
            headers = [(name, value) for name, value in scope["headers"] if name.lower() not in _ASKED]
            right = right_address(scope["path"], scope["query_string"].decode("latin-1"))
            connection = HTTPConnection(scope)
            host = f"{connection.url.scheme}://{connection.url.netloc}"
            page = _Page(send, scope["path"], language_choice.of_request(connection), host, right)
            await self.app({**scope, "headers": headers}, receive, page.receive)
        else:
            await self.app(scope, receive, send)


class _Page:
    """Holds a page back until it is whole; what is no page goes through as it comes. `right` is the page's address."""

    def __init__(self, send: Send, path: str, language: str, host: str, right: str | None):
        self.send = send
        self.path = path
        self.language = language
        self.host = host
        self.right = right
        self.start: Message | None = None
        self.body = b""

    async def receive(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self.start = message
        elif message["type"] != "http.response.body" or self.start is None:
            await self.send(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish(self.start)

    async def _finish(self, start: Message) -> None:
        page = completed(self.body, self.path, self.language, self.host) if self.right is None else b""
        headers = MutableHeaders(scope=start)
        if self.right is not None:
            start["status"] = HTTPStatus.TEMPORARY_REDIRECT
            headers["location"] = self.right
        headers["content-length"] = str(len(page))
        headers["vary"] = "Accept-Language, Cookie"  # the language of the page
        for name in _ANSWERED:
            del headers[name]
        await self.send(start)
        await self.send({"type": "http.response.body", "body": page})


def completed(page: bytes, path: str, language: str, host: str = "") -> bytes:
    """The HTML with its language and page, our scripts and style, and what it lays over itself when something fails.

    `host` is that of the whole addresses that previews of links need.

    The style stands behind all else: of two rules of the same weight the later holds, and Streamlit's go into the head.
    """
    name = path.removeprefix(base()).strip("/") or page_list.HOME
    own = language_choice.language(language)
    html = f'<html lang="{own.tag}" dir="{own.direction}" data-page="{escape(name)}" data-sidebar="{_sidebar(name)}">'
    page = fonts.with_small_fonts(modules.with_one_file(page)).replace(b'<html lang="en">', html.encode(), 1)
    page = page.replace(b"<head>", b"<head>" + _server(path).encode() + _EMBED, 1)
    tags = link_preview.tags(name, language, host)
    page = page.replace(b"</head>", tags.encode() + b"</head>", 1)
    page = page.replace(b"<body>", b"<body>" + _loading(name, language).encode(), 1)
    return page.replace(b"</body>", f"<style>{_style()}</style>{_marks()}{_over()}</body>".encode(), 1)


@cache
def _loading(name: str, language: str) -> str:
    """What the page is and that it loads, for the time until Streamlit has drawn it."""
    texts = all_texts(language)
    title = texts.get(f"pages.{name}", "Glassformer")
    colors = {kind: {key: st.get_option(f"theme.{kind}.{key}") for key in _COLORS} for kind in ("light", "dark")}
    return render(
        "pages/shared/server/loading.html",
        "notice",
        page="Glassformer" if name == page_list.HOME else title,
        question=texts.get(f"{name}.question", ""),
        loading=texts["notice.loading"],
        not_loaded=texts["notice.not_loaded"],
        colors=colors,
    )


def _sidebar(name: str) -> str:
    """Content of the sidebar: on a phone it is above the page, which keeps its height free until it comes."""
    page = page_list.pages().get(name)
    return page.sidebar if page else "sentence"


def _server(path: str) -> str:
    """Tell Streamlit where its server is. It would ask below the page's own address first, and get two 404s.

    Not behind a proxy that cuts off a prefix of the path: there Streamlit has to look for it.
    """
    here, address = json.dumps(path), f"location.origin + {json.dumps(base() + '/')}"
    return f"<script>if (location.pathname === {here}) window.__streamlit = {{ BACKEND_BASE_URL: {address} }};</script>"


@cache
def _style() -> str:
    frame, placeholders, print_ = (
        style_sheet(_FRONTEND / f"{name}.css") for name in ("frame", "placeholders", "print")
    )
    return "\n".join([frame, placeholders, *_of_pages(), style(), reserved_space.rules(), print_])


def _of_pages() -> list[str]:
    """The heights that each page has of its own."""
    files = (page_list.folder_of(name) / "placeholders.css" for name in page_list.pages())
    return [style_sheet(file) for file in files if file.is_file()]


@cache
def _marks() -> str:
    rules = (_FRONTEND / "language" / "chinese_marks.css").read_text(encoding="utf-8")
    return f'<style id="chinese-marks" media="not all">{rules}</style>'


@cache
def _over() -> str:
    scripts = "".join(f"<script>{(_FRONTEND / name).read_text(encoding='utf-8')}</script>" for name in _SCRIPTS)
    return _overlay("away", "notice.away") + _overlay("failed", "notice.failed") + _streamlit_words() + scripts


def _streamlit_words() -> str:
    """Labels of Streamlit's own elements by the tag of each language, for the script that translates them."""
    texts = {language_choice.tag(code): list(section("streamlit", code).values()) for code in language_choice.names()}
    return f'<script type="application/json" class="gf-streamlit">{json.dumps(texts)}</script>'


def _overlay(kind: str, key: str) -> str:
    texts = {language_choice.tag(code): all_texts(code)[key] for code in language_choice.names()}
    return render("pages/shared/server/overlay.html", "overlay", notice=kind, texts=texts)


def _wants_page(scope: Scope) -> bool:
    is_other = scope["path"].removeprefix(base()).startswith(_OTHERS)
    return "text/html" in Headers(scope=scope).get("accept", "") and not is_other


def _is_page(message: Message) -> bool:
    return message["status"] == 200 and Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
