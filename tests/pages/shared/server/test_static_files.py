"""The files below `/static/`: packed for who takes it so, whole for who does not, and kept."""

import gzip
from pathlib import Path

import pytest
from httpx2 import Response
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.shared.server.static import FILES, FONTS, files

STYLE = next((FILES / "css").glob("index.*.css"))
SCRIPT = next((FILES / "js").glob("protobuf.*.js"))
PICTURE = next((FILES / "media").glob("*.png"))
FONT = next((FILES / "media").glob("*.woff2"))
SIGN = next((FILES / "media").glob("*.svg"))


@pytest.fixture(scope="module")
def site() -> TestClient:
    """Our answers, with "elsewhere" where Streamlit would answer."""

    async def elsewhere(request: Request) -> PlainTextResponse:
        return PlainTextResponse("elsewhere")

    routes = [Route("/{path:path}", elsewhere, methods=["GET", "POST"])]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(files.KeptFiles)]))


def _raw(site: TestClient, path: str, method: str = "GET", **headers: str) -> tuple[Response, bytes]:
    """The answer, and its body as it was sent."""
    sent = {"accept-encoding": "identity"} | {name.replace("_", "-"): value for name, value in headers.items()}
    with site.stream(method, path, headers=sent) as answer:
        return answer, b"".join(answer.iter_raw())


@pytest.mark.parametrize("file", [STYLE, SCRIPT, SIGN], ids=lambda file: file.suffix)
def test_text_is_packed_for_who_takes_it_and_is_the_same(site: TestClient, file: Path) -> None:
    path = f"/static/{file.relative_to(FILES)}"
    packed, body = _raw(site, path, accept_encoding="br, gzip")
    plain, text = _raw(site, path)
    assert packed.headers["content-encoding"] == "gzip"
    assert len(body) == int(packed.headers["content-length"]) < len(text)
    assert gzip.decompress(body) == text == file.read_bytes()
    assert "content-encoding" not in plain.headers
    for answer in (packed, plain):
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["cache-control"] == files.KEEP
    assert packed.headers["content-type"] == plain.headers["content-type"]
    assert packed.headers["etag"] != plain.headers["etag"]  # a cache must not mix them


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_who_has_a_file_is_told_so_and_head_says_what_get_says(site: TestClient, encoding: str) -> None:
    path = f"/static/css/{STYLE.name}"
    first, _ = _raw(site, path, accept_encoding=encoding)
    head, nothing = _raw(site, path, "HEAD", accept_encoding=encoding)
    assert nothing == b""
    assert {**head.headers} == {**first.headers}
    again, body = _raw(site, path, accept_encoding=encoding, if_none_match=first.headers["etag"])
    assert (again.status_code, body) == (304, b"")
    assert again.headers["vary"] == "Accept-Encoding"
    other = "identity" if encoding == "gzip" else "gzip"
    assert _raw(site, path, accept_encoding=other, if_none_match=first.headers["etag"])[0].status_code == 200


def test_a_part_of_a_file_is_of_the_plain_one(site: TestClient) -> None:
    answer, body = _raw(site, f"/static/css/{STYLE.name}", accept_encoding="gzip", range="bytes=10-29")
    assert (answer.status_code, body) == (206, STYLE.read_bytes()[10:30])
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("refused", ["gzip;q=0", "identity, gzip;q=0.0", "*;q=0", ""])
def test_who_refuses_packed_files_gets_them_plain(site: TestClient, refused: str) -> None:
    answer, body = _raw(site, f"/static/css/{STYLE.name}", accept_encoding=refused)
    assert "content-encoding" not in answer.headers
    assert body == STYLE.read_bytes()


@pytest.mark.parametrize("file", [PICTURE, FONT], ids=lambda file: file.suffix)
def test_what_is_packed_already_is_sent_as_it_is(site: TestClient, file: Path) -> None:
    answer, body = _raw(site, f"/static/{file.relative_to(FILES)}", accept_encoding="gzip")
    assert "content-encoding" not in answer.headers
    assert body == file.read_bytes()


def test_our_fonts_are_beside_those_of_streamlit(site: TestClient) -> None:
    for font in FONTS.glob("*.woff2"):
        answer, body = _raw(site, f"/static/fonts/{font.name}", accept_encoding="gzip")
        assert (answer.headers["content-type"], body) == ("font/woff2", font.read_bytes())


@pytest.mark.parametrize(
    "path",
    [
        "/", "/static", "/static/js/none.js", "/static/../app.py", "/static/%2e%2e/index.html",
        "/static/js/../../index.html", "/static/..%2findex.html", "/static//etc/passwd", "/static/js/%00.js",
        f"/static/{'a' * 300}.js", "/static/packed/css", "/glass/static/css",
    ],
)  # fmt: skip
def test_what_is_no_such_file_is_left_to_streamlit(site: TestClient, path: str) -> None:
    assert _raw(site, path, accept_encoding="gzip")[1] == b"elsewhere"


def test_a_file_is_packed_once(monkeypatch: pytest.MonkeyPatch, site: TestClient) -> None:
    packed = []
    compress = gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda data, **more: packed.append(len(data)) or compress(data, **more))
    other = next((FILES / "js").glob("katex.*.js"))
    for _ in range(3):
        _raw(site, f"/static/js/{other.name}", accept_encoding="gzip")
    assert packed == [other.stat().st_size]


def test_on_a_full_disk_a_file_is_sent_as_it_is(monkeypatch: pytest.MonkeyPatch, site: TestClient) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    other = next((FILES / "js").glob("TextArea.*.js"))
    answer, body = _raw(site, f"/static/js/{other.name}", accept_encoding="gzip")
    assert (answer.headers.get("content-encoding"), body) == (None, other.read_bytes())


def test_below_a_path_files_are_found_there(monkeypatch: pytest.MonkeyPatch, site: TestClient) -> None:
    monkeypatch.setattr(files, "base", lambda: "/glass")
    path = f"/static/css/{STYLE.name}"
    assert _raw(site, f"/glass{path}", accept_encoding="gzip")[0].headers["content-encoding"] == "gzip"
    assert _raw(site, path)[1] == b"elsewhere"
