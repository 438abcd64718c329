"""Limits what one browser asks of the server over HTTP and how many connections it holds, so that a flood stops nobody.

A browser without our cookie shares the limits of its address, which are those of a whole class behind one router.
Whoever asks for more waits a moment for the refusal: a client that asks again at once gets no more done by it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime

from model.errors import InvalidInput
from pages.shared.load import counts
from pages.shared.server.cookie import name_in
from pages.shared.server.headers import NO_STORE
from pages.shared.session import languages
from pages.shared.text.words import refusal

REQUESTS, CONNECTIONS = 3_000, 40  # of a browser: in a minute, and at a time (tabs); a first page takes about 100
AT_ONCE = 100  # requests of a browser that are answered at the same time
UPLOADS = 12  # of a browser in a minute, each of which may be 50 MB
HELD_FILES, HELD_BYTES = 8, 1_000_000_000  # uploads that are in memory: of a session, and of all
CLASS = 50  # browsers that may share an address
DELAY = 1.0  # seconds until a refusal
MINUTE = 60.0
_UPLOAD = "/_stcore/upload_file/"


class FairRequests:
    """ASGI middleware. `clock` gives seconds."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic, delay: float = DELAY):
        self.app, self.clock, self.delay = app, clock, delay
        self._minute = float("-inf")
        self._asked: Counter[tuple[str, str]] = Counter()  # in this minute, by kind and user
        self._open: Counter[tuple[str, str]] = Counter()  # now, likewise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        key, scale = _user(scope)
        kind = scope["type"], key
        if self._is_too_much(scope, key, scale):
            counts.refused(scope["type"])
            await self._refuse(scope, receive, send)
            return
        self._open[kind] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[kind] -= 1
            if not self._open[kind]:
                del self._open[kind]

    def _is_too_much(self, scope: Scope, key: str, scale: int) -> bool:
        if self.clock() - self._minute >= MINUTE:
            self._minute = self.clock()
            self._asked.clear()
        is_socket = scope["type"] == "websocket"
        is_upload = not is_socket and scope["method"] == "PUT" and _UPLOAD in scope["path"]
        self._asked["requests", key] += 1
        self._asked["uploads", key] += is_upload
        return (
            self._asked["requests", key] > REQUESTS * scale
            or (is_upload and (self._asked["uploads", key] > UPLOADS * scale or _holds_too_much(scope["path"])))
            or self._open[scope["type"], key] >= (CONNECTIONS if is_socket else AT_ONCE) * scale
        )

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(self.delay)
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1013})  # try again later
            return
        seconds = max(1, round(self._minute + MINUTE - self.clock()))
        with languages.speaking(languages.of_request(HTTPConnection(scope))):
            sentence = refusal(InvalidInput("fair_requests", seconds=seconds))
        headers = NO_STORE | {"Retry-After": str(seconds), "X-Reason": "given"}
        await PlainTextResponse(sentence, 429, headers=headers)(scope, receive, send)


def _holds_too_much(path: str) -> bool:
    """Whether the session of an upload, or all of them, have as much in memory as they may.

    Streamlit keeps each file until its session ends, also one that no page has asked for.
    """
    if not Runtime.exists():
        return False
    held = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    files = [file for of_session in list(held.values()) for file in list(of_session.values())]
    own = held.get(path.rsplit("/", 2)[-2], {})
    return len(own) >= HELD_FILES or sum(len(file.data) for file in files) >= HELD_BYTES


def _user(scope: Scope) -> tuple[str, int]:
    """The browser by its cookie; else its address, for which the limits are as many times higher."""
    if name := name_in(HTTPConnection(scope).headers):
        return name, 1
    client = scope.get("client")
    return str(client[0]) if client else "", CLASS
