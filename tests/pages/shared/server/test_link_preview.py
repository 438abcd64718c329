"""Previews of links: title, question and film of a page, with whole addresses; the films are shipped."""

import re
from html import unescape

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.shared.server import page_html, redirects
from pages.shared.server.routes import link_preview
from pages.shared.session import language_choice, page_list
from pages.shared.text.words import all_texts

HOST = "https://glassformer.example.org"
MOST = 1_000_000  # bytes of a film


def site(base: str) -> TestClient:
    async def page(request: object) -> HTMLResponse:
        return HTMLResponse('<html lang="en"><head></head><body></body></html>')

    films = Route(base + link_preview.ROUTE.path, link_preview.film)
    routes = [films, Route("/{path:path}", page)]
    app = Starlette(routes=routes, middleware=[Middleware(page_html.PageHtml)])
    return TestClient(app, base_url=HOST, headers={"Accept": "text/html"})


def tags(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', html)
    return {name: unescape(content) for name, content in found}


@pytest.mark.parametrize("base", ["", "/class/one"])
def test_a_link_shows_the_page_in_its_language(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (link_preview, page_html, redirects):
        monkeypatch.setattr(module, "base", lambda: base)
    client = site(base)
    for language in language_choice.names():
        texts = all_texts(language)
        for name, film in (("start", "start"), ("sheet", "sheet"), ("masks", "start")):
            address = "" if name == page_list.HOME else name
            shown = tags(client.get(f"{base}/{address}?language={language}").text)
            assert shown["og:description"] == texts[f"{name}.question"]
            title = texts[f"pages.{name}"]
            assert shown["og:title"] == ("Glassformer" if name == "start" else f"{title} · Glassformer")
            assert shown["og:image"] == f"{HOST}{base}/preview/{film}/{language}.gif"
            answer = client.get(shown["og:image"])
            assert (answer.status_code, answer.headers["content-type"]) == (200, "image/gif")
    shipped = link_preview.picture
    monkeypatch.setattr(link_preview, "picture", lambda name, code: shipped(name, code) if code == "en" else None)
    assert tags(client.get(f"{base}/masks?language=es").text)["og:image"] == f"{HOST}{base}/preview/start/en.gif"


@pytest.mark.parametrize("name", ["start", "sheet"])
def test_the_films_that_are_shipped_are_small_and_begin_with_the_finished_picture(name: str) -> None:
    for language in language_choice.names():
        path = link_preview.picture(name, language)
        assert path is not None
        assert path.stat().st_size <= MOST
        with Image.open(path) as film:
            first = film.convert("RGB")
            assert film.n_frames > 20
            film.seek(film.n_frames - 1)
            assert film.convert("RGB").tobytes() == first.tobytes()


@pytest.mark.parametrize("path", ["start/xx", "nowhere/en", "../start/en", "masks/en"])
def test_there_are_no_other_films(path: str) -> None:
    assert site("").get(f"/preview/{path}.gif", headers={"Accept": "image/gif"}).text[:3] != "GIF"


def test_an_odd_path_and_host_cannot_write_into_the_head() -> None:
    head = link_preview.tags('/"><b', "en", 'https://x"><b')
    assert "&gt;&lt;b" in head
    assert "><b" not in head
