"""Limits what one browser asks of the server over HTTP and how many connections it holds, so that a flood stops nobody.

Symptom: while one client asked for 270 small answers a second, pages of others took 9 s. Cause: to take a request the
server needs Python's lock several times, and waits up to 5 ms for it while a page computes. Therefore a browser that
asks faster than `RATE` for long is answered at that rate, messages of its pages included; more than `AT_ONCE` at a time
are refused. A browser without our cookie shares the limits of its address, which are those of a whole class behind one
router.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from model.errors import InvalidInput
from pages.shared.load import counts
from pages.shared.server.cookie import name_in
from pages.shared.server.headers import NO_STORE
from pages.shared.session import language_choice
from pages.shared.text.words import refusal

RATE, BURST = 20.0, 500  # requests of a browser in a second, and at once before; a first page takes about 30
AT_ONCE, CONNECTIONS = 100, 40  # requests of a browser that it waits for, and connections (tabs)
UPLOADS = 12  # of a browser in a minute, each of which may be large
CLASS = 50  # browsers that may share an address
DELAY = 1.0  # seconds until a refusal
MINUTE = 60.0
USERS = 10_000  # whose rate is remembered
_UPLOAD = "/_stcore/upload_file/"


class FairRequests:
    """ASGI middleware. `clock` gives seconds, `sleep` waits so many."""

    def __init__(
        self,
        app: ASGIApp,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ):
        self.app, self.clock, self.sleep = app, clock, sleep
        self._minute = float("-inf")
        self._uploads: Counter[str] = Counter()  # in this minute, by user
        self._open: Counter[tuple[str, str]] = Counter()  # now, by kind and user
        self._due: dict[str, float] = {}  # by user, when all that they asked for would be answered at `RATE`

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        key, scale = _user(scope)
        kind = scope["type"], key
        if self._is_too_much(scope, key, scale):
            await self.sleep(DELAY)
            await refuse(scope, receive, send)
            return

        async def receive_slowly() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                await self.sleep(self._wait(key, scale))
            return message

        self._open[kind] += 1
        try:
            await self.sleep(self._wait(key, scale))
            await self.app(scope, receive_slowly, send)
        finally:
            self._open[kind] -= 1
            if not self._open[kind]:
                del self._open[kind]

    def _wait(self, key: str, scale: int) -> float:
        """Count one request, and return the seconds that it has to wait."""
        now = self.clock()
        if len(self._due) > USERS:
            self._due = {user: due for user, due in self._due.items() if due > now}
        self._due[key] = due = max(self._due.get(key, now), now) + 1 / (RATE * scale)
        return max(0.0, due - now - BURST / RATE)

    def _is_too_much(self, scope: Scope, key: str, scale: int) -> bool:
        is_socket = scope["type"] == "websocket"
        if self._open[scope["type"], key] >= (CONNECTIONS if is_socket else AT_ONCE) * scale:
            return True
        if not is_upload(scope):
            return False
        if self.clock() - self._minute >= MINUTE:
            self._minute = self.clock()
            self._uploads.clear()
        self._uploads[key] += 1
        return self._uploads[key] > UPLOADS * scale


def is_upload(scope: Scope) -> bool:
    """Whether a request brings a file."""
    return scope["type"] == "http" and scope["method"] == "PUT" and _UPLOAD in scope["path"]


async def refuse(scope: Scope, receive: Receive, send: Send, code: str = "fair_requests") -> None:
    """Say in one sentence, that of the code, that this is too much at once."""
    counts.refused(scope["type"])
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1013})  # try again later
        return
    with language_choice.speaking(language_choice.of_request(HTTPConnection(scope))):
        sentence = refusal(InvalidInput(code))
    await PlainTextResponse(sentence, 429, headers=NO_STORE | {"X-Reason": "given"})(scope, receive, send)


def _user(scope: Scope) -> tuple[str, int]:
    """The browser by its cookie; else its address, for which the limits are as many times higher."""
    if name := name_in(HTTPConnection(scope).headers):
        return name, 1
    client = scope.get("client")
    return str(client[0]) if client else "", CLASS
