"""Every route of ours under odd paths, parameters, headers and bodies: a refusal, never an error of the server."""

import asyncio
import json
import random
import runpy
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from classroom import keys
from classroom.classrooms import Classrooms
from model.checkpoint.catalogue import Entry
from pages.shared.load import fair_use
from pages.shared.server.routes import class_routes
from pages.sheet import sheet_route, source
from tests.samples import MARKUP, ROOT, SAMPLES

KEY = keys.key_of("attacker")
ODD = (
    "", "0", "-1", "7", "9" * 30, "1e400", "NaN", "inf", "null", "%00", "\0", "..", "../../etc/passwd", "/etc/passwd",
    "..%2f..%2fetc%2fpasswd", "....//etc/passwd", "C:\\windows", "file:///etc/passwd", MARKUP, "{{7*7}}", "${7*7}",
    "' OR 1=1 --", "\u202e\ud7ff\U0001f600", "x" * 5_000, "１２", "²", "0_0", " 1", "a.b.c.d", "1.0.0.0",
    "99999.99.99999.99999", "_", "__class__",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 1.5, 1e308, "", "x", "\0", "\ud800", [], [[]], {}, {"a": 1}, MARKUP, "9" * 400,
)  # fmt: skip
NAMES = ("since", "board", "language", "of", "room", "x")
HEADERS = ("Authorization", "Cookie", "Accept-Language", "Range", "If-None-Match", "Content-Length", "X-Forwarded-For")


def routes() -> list[Route]:
    with patch.object(st, "App") as app:
        runpy.run_path(str(ROOT / "app.py"))
    return app.call_args.kwargs["routes"]


@pytest.fixture(scope="module")
def all_routes() -> list[Route]:
    return routes()


@pytest.fixture
def client(
    store: Classrooms, warm: None, all_routes: list[Route], monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    for kind in fair_use.PER_MINUTE:
        monkeypatch.setitem(fair_use.PER_MINUTE, kind, 10**6)
    monkeypatch.setattr("pages.shared.server.routes.class_routes.PATIENCE", 0.0)
    with TestClient(Starlette(routes=all_routes), raise_server_exceptions=False) as client:
        yield client


def spelled(route: Route, value: str) -> str:
    """The route's path with this in place of each of its parameters."""
    text = route.path
    for name in route.param_convertors:
        for kind in ("", ":int"):
            text = text.replace(f"{{{name}{kind}}}", quote(value, safe="%") or "-")
    return text


def test_odd_addresses_and_headers(client: TestClient, all_routes: list[Route], draws: Callable[[int], int]) -> None:
    failed = []
    for number, route in enumerate(all_routes):
        for value in random.Random(number).sample(ODD, draws(len(ODD))):
            for name in NAMES:
                answer = client.get(spelled(route, value), params={name: value.replace("\0", "%00")})
                if answer.status_code >= 500:
                    failed.append((route.path, name, value))
        for name in HEADERS:
            for value in (
                "",
                "x",
                "Bearer",
                "Bearer \xff",
                "Bearer x y",
                "=;=",
                "glassformer_reader=\xff",
                "9" * 5_000,
            ):
                answer = client.get(spelled(route, "7"), headers={name: value.encode("latin-1")})  # type: ignore[dict-item]
                if answer.status_code >= 500:
                    failed.append((route.path, name, value))
    assert failed == []


@pytest.mark.parametrize("number", ["0", "7", "99999", "9" * 18, "9" * 30])
def test_odd_places_in_a_sheet(client: TestClient, number: str) -> None:
    token = source.token(source.SheetRequest(Entry(SAMPLES / "mini-encoder"), "they read books"))
    overview = client.get(f"{sheet_route.PATH}/{token}/overview")
    assert overview.status_code == 200
    places = [f"cell/{number}/0/0", f"cell/0/{number}/0", f"cell/0/0/{number}"]
    places += [f"csv/{number}", f"tiles?of={number}.0.0.0"]
    statuses = {place: client.get(f"{sheet_route.PATH}/{token}/{place}").status_code for place in places}
    assert all(status < 500 for status in statuses.values()), statuses


@pytest.mark.parametrize("teaches", [True, False])
def test_odd_acts(client: TestClient, store: Classrooms, teaches: bool, draws: Callable[[int], int]) -> None:
    teacher = store.create(KEY if teaches else keys.key_of("teacher"), "")
    if not teaches:
        store.join(KEY, teacher.code)
    names = {
        "show": ["view"], "countdown": ["minutes"], "hide": ["sentence", "hidden"], "close": [],
        "ask": ["question", "options"], "hide_answer": ["task", "text", "hidden"], "answer": ["task", "text"],
    }  # fmt: skip
    whole: dict[str, Any] = {
        "view": "/",
        "minutes": 1,
        "sentence": 1,
        "hidden": True,
        "task": 1,
        "text": "x",
        "question": "?",
        "options": "",
    }
    failed = []
    for act, fields in names.items():
        for field in fields or ["x"]:
            for value in random.Random(act + field).sample(VALUES, draws(len(VALUES))):
                content = whole | {"do": act, field: value}
                answer = client.post("/room", content=json.dumps(content), headers={"Authorization": f"Bearer {KEY}"})
                if answer.status_code >= 500:
                    failed.append((act, field, value))
    assert failed == []
    assert store.membership(KEY) is not None


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\0", b"[" * 15_000, b'{"do":' * 2_000, b'{"do": "close"', b"9" * 15_000, b'"\xff"', b"NaN",
        b"\xef\xbb\xbf{}", b"x" * 10**6,
    ],
)  # fmt: skip
def test_odd_bodies(client: TestClient, store: Classrooms, body: bytes) -> None:
    store.create(KEY, "")
    answer = client.post("/room", content=body, headers={"Authorization": f"Bearer {KEY}"})
    assert (answer.status_code, answer.json()["refused"]) == (400, "class_view")


def test_a_body_that_comes_drop_by_drop(client: TestClient, store: Classrooms, monkeypatch: pytest.MonkeyPatch) -> None:
    async def drops() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0)
            yield b""

    monkeypatch.setattr(class_routes, "SLOWEST", 0.05)
    monkeypatch.setattr(Request, "stream", lambda request: drops())
    store.create(KEY, "")
    answer = client.post("/room", content=b"{", headers={"Authorization": f"Bearer {KEY}"})
    assert (answer.status_code, answer.json()["refused"]) == (400, "class_view")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
def test_odd_methods(client: TestClient, all_routes: list[Route], method: str) -> None:
    for route in all_routes:
        assert client.request(method, spelled(route, "7")).status_code < 500, route.path
