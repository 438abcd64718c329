"""Who may open a connection: our own pages, and those that a setting names."""

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import config

from pages.shared.server.limits.same_origin import SameOrigin


async def _greet(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("hello")


def _opens(host: str, origin: str | None) -> bool:
    app = Starlette(routes=[WebSocketRoute("/", _greet)], middleware=[Middleware(SameOrigin)])
    headers = {"host": host} | ({"origin": origin} if origin else {})
    try:
        with TestClient(app).websocket_connect("/", headers=headers) as websocket:
            return websocket.receive_text() == "hello"
    except WebSocketDisconnect:
        return False


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8501", "http://localhost:8501"), ("localhost:8501", None),
        ("glass.example.org", "https://glass.example.org"), ("glass.example.org:443", "https://glass.example.org"),
        ("Glass.Example.org", "https://glass.example.org"), ("[::1]:8501", "http://[::1]:8501"),
    ],
)  # fmt: skip
def test_our_own_pages_open_a_connection(host: str, origin: str | None) -> None:
    assert _opens(host, origin)


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8501", "http://localhost:3000"), ("localhost:8501", "http://localhost"),
        ("localhost:8501", "http://127.0.0.1:8501"), ("127.0.0.1:8501", "http://localhost:8501"),
        ("glass.example.org", "https://glass.example.org:8443"), ("glass.example.org", "https://example.org"),
        ("glass.example.org:80", "https://glass.example.org"), ("glass.example.org", "https://glass.example.org.evil.org"),
        ("localhost:8501", "null"), ("", "null"), ("localhost:8501", "http://localhost:8501@evil.org"),
    ],
)  # fmt: skip
def test_pages_of_another_origin_do_not(host: str, origin: str) -> None:
    assert not _opens(host, origin)


def test_a_setting_names_further_origins(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"server.enableCORS": True, "server.corsAllowedOrigins": ["https://learn.example.org"]}
    options["browser.serverAddress"] = "glass.example.org"
    monkeypatch.setattr(st, "get_option", options.get)
    assert _opens("localhost:8501", "https://learn.example.org")
    assert not _opens("localhost:8501", "https://glass.example.org")
    monkeypatch.setattr(config, "is_manually_set", lambda name: name == "browser.serverAddress")
    assert _opens("localhost:8501", "https://glass.example.org")
    assert not _opens("localhost:8501", "https://learn.example.org:8443")
    options["server.enableCORS"] = False
    assert _opens("localhost:8501", "https://anywhere.example.org")
