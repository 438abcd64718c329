"""A browser that floods the server with requests, connections or uploads is refused, and nobody else is."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from model.errors import InvalidInput
from pages.shared.server.limits import fair_requests
from pages.shared.server.limits.fair_requests import FairRequests
from pages.shared.session import language_choice
from pages.shared.session.user import NAME
from pages.shared.text.words import refusal
from tests.samples import LANGUAGES

ADA, BEN = "a" * 22, "b" * 22


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Server:
    """The middleware around an app that answers 200, or waits until `end`."""

    def __init__(self) -> None:
        self.clock, self.end = Clock(), asyncio.Event()
        self.waiting = 0
        self.waits: list[float] = []
        self.guard = FairRequests(self._app, self.clock, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/slow":
            self.waiting += 1
            await self.end.wait()
        for _ in range(scope.get("messages", 0)):
            await receive()
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        else:
            await send({"type": "websocket.accept"})

    async def ask(self, who: str = ADA, **scope: Any) -> dict[str, Any]:
        """The first message that comes back, with the body of an answer."""
        said: dict[str, Any] = {}
        language = scope.pop("language", "en")
        headers = [(b"accept-language", language.encode())]
        headers += [(b"cookie", f"{NAME}={who}".encode())] if who else []

        async def send(message: Any) -> None:
            if not said:
                said.update(message)
            said["body"] = said.get("body", b"") + message.get("body", b"")

        async def receive() -> Any:
            return {"type": "websocket.receive"}

        settings = {"type": "http", "method": "GET", "path": "/", "client": ("10.0.0.1", 1), "query_string": b""}
        await self.guard(settings | {"headers": headers} | scope, receive, send)
        return said


def served(test: Callable[[Server], Awaitable[None]]) -> None:
    async def run() -> None:
        await asyncio.wait_for(test(Server()), 30)

    with ThreadPoolExecutor(1) as thread:  # the one of this test may have a loop: that of Playwright
        thread.submit(asyncio.run, run()).result()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"RATE": 2, "BURST": 5, "CONNECTIONS": 2, "AT_ONCE": 3, "UPLOADS": 2, "CLASS": 4}
    for name, limit in limits.items():
        monkeypatch.setattr(fair_requests, name, limit)


def test_who_asks_fast_for_long_is_answered_slowly_and_nobody_else() -> None:
    async def test(server: Server) -> None:
        for _ in range(8):
            assert (await server.ask())["status"] == 200
        assert server.waits == pytest.approx([0, 0, 0, 0, 0, 0.5, 1, 1.5])  # a burst of 5, then 2 a second
        await server.ask(BEN)
        assert server.waits[-1] == 0
        server.clock.now += 2
        await server.ask()
        assert server.waits[-1] == 0
        server.clock.now += 100
        server.waits.clear()
        await server.ask(type="websocket", messages=6)
        assert server.waits == pytest.approx([0, 0, 0, 0, 0, 0.5, 1])  # the connection and its messages

    served(test)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_asks_for_too_much_is_told_in_their_language(language: str) -> None:
    async def test(server: Server) -> None:
        asking = [asyncio.create_task(server.ask(path="/slow")) for _ in range(3)]
        while server.waiting < 3:
            await asyncio.sleep(0)
        refused = await server.ask(language=language)
        with language_choice.speaking(language):
            assert refused["body"].decode() == refusal(InvalidInput("fair_requests"))
        assert server.waits[-1] == fair_requests.DELAY
        server.end.set()
        await asyncio.gather(*asking)

    served(test)


def test_only_so_many_requests_and_connections_at_a_time() -> None:
    async def test(server: Server) -> None:
        for kind, most in (("http", 3), ("websocket", 2)):
            server.end.clear()
            server.waiting = 0
            server.clock.now += 61
            asking = [asyncio.create_task(server.ask(type=kind, path="/slow")) for _ in range(most)]
            while server.waiting < most:
                await asyncio.sleep(0)
            one_more = await server.ask(type=kind)
            assert one_more.get("status", one_more["type"]) in (429, "websocket.close")
            other = await server.ask(BEN, type=kind)
            assert other.get("status", other["type"]) in (200, "websocket.accept")
            server.end.set()
            await asyncio.gather(*asking)
            after = await server.ask(type=kind)
            assert after.get("status", after["type"]) in (200, "websocket.accept")
        assert not server.guard._open

    served(test)


def test_uploads_have_a_limit_of_their_own() -> None:
    async def test(server: Server) -> None:
        upload = {"method": "PUT", "path": "/class/_stcore/upload_file/session/file"}
        assert [(await server.ask(**upload))["status"] for _ in range(3)] == [200, 200, 429]
        assert (await server.ask())["status"] == 200

    served(test)


@pytest.mark.parametrize("who", ["", "no name of ours", "a" * 21])
def test_browsers_without_the_cookie_share_the_limits_of_a_class(who: str) -> None:
    async def test(server: Server) -> None:
        for _ in range(22):
            await server.ask(who)
        assert server.waits == pytest.approx([0] * 20 + [0.125, 0.25])
        await server.ask(who, client=("10.0.0.2", 1))
        assert server.waits[-1] == 0

    served(test)
