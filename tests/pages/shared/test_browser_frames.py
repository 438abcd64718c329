"""Frames on other sites: who may show the app in one, and what it is there."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.shared.server import cookie, headers
from tests.browser import Visits, path

HOSTS = "https://moodle.example.org https://*.example.edu:8443"


def page(request: Request) -> Response:
    return HTMLResponse("<p>page</p>")


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A client of a server with the hosts of `GLASSFORMER_FRAMES`, by https or not."""

    def with_hosts(hosts: str, scheme: str = "https") -> TestClient:
        monkeypatch.setenv(headers.FRAMES, hosts)
        headers.framing_hosts.cache_clear()
        app = Starlette(
            routes=[Route("/", page)],
            middleware=[Middleware(headers.SecurityHeaders), Middleware(cookie.UserCookie)],
        )
        return TestClient(app, base_url=f"{scheme}://glassformer.example.com", headers={"Accept": "text/html"})

    yield with_hosts
    headers.framing_hosts.cache_clear()


def test_nobody_else_frames_the_app_unless_the_host_is_named(client) -> None:  # type: ignore[no-untyped-def]
    policy = client("").get("/").headers["content-security-policy"]
    assert policy.endswith("; frame-ancestors 'self'")
    policy = client(HOSTS).get("/").headers["content-security-policy"]
    assert policy.endswith(f"; frame-ancestors 'self' {HOSTS}")


@pytest.mark.parametrize(
    ("hosts", "scheme", "expected"),
    [
        ("", "http", "SameSite=Lax"),
        ("", "https", "SameSite=Lax; Secure"),
        (HOSTS, "http", "SameSite=Lax"),  # browsers send no cookie into a frame on another site without https
        (HOSTS, "https", "SameSite=None; Secure; Partitioned"),
    ],
)
def test_the_cookie_works_in_a_frame_of_a_named_host(client, hosts: str, scheme: str, expected: str) -> None:  # type: ignore[no-untyped-def]
    assert client(hosts, scheme).get("/").headers["set-cookie"].endswith(f"; HttpOnly; {expected}")


@pytest.mark.parametrize(
    "hosts", ["moodle.example.org", "https://x.org; script-src *", "https://x.org,https://y.org", "*"]
)
def test_what_is_no_host_is_refused_at_the_start(client, hosts: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="name hosts as"):
        client(hosts).get("/")


def test_a_frame_shows_the_page_without_the_list_of_pages(visit: Visits) -> None:
    view_page = visit(path("attention", embed="true"))
    assert not view_page.locator("[data-testid=stSidebar]").is_visible()
    assert view_page.locator(".gf-attention").is_visible()
    assert visit.again(path("attention")).locator("[data-testid=stSidebar]").is_visible()
