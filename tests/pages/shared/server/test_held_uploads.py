"""Uploads are counted before they are read, and forgotten with their session."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.shared.server.limits import held_uploads
from pages.shared.server.limits.held_uploads import HeldUploads


class Server:
    """The middleware around an app that keeps what it reads in the memory of Streamlit, or waits until `end`."""

    def __init__(self, manager: MemoryUploadedFileManager, active: set[str]) -> None:
        self.manager, self.active = manager, active
        self.end = asyncio.Event()
        self.end.set()
        self.waiting = 0
        self.guard = HeldUploads(self._app)

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.waiting += 1
            await self.end.wait()
            self.keep(scope["path"].rsplit("/", 2)[-2], await Request(scope, receive).body())
            await send({"type": "http.response.start", "status": 204, "headers": []})

    def keep(self, session: str, data: bytes) -> None:
        number = str(len(self.manager.file_storage[session]))
        self.manager.add_file(session, UploadedFileRec(number, "a.zip", "", data))

    async def upload(self, session: str, size: int, announced: int | None, *, ends: bool = True) -> int:
        """The status of the answer to an upload of so many bytes, in pieces of 10; one without an end waits then."""
        status: list[int] = []
        pieces = [b"x" * 10] * (size // 10)

        async def send(message: Any) -> None:
            status.append(message.get("status", 0))

        async def receive() -> Any:
            if not pieces and not ends:
                await asyncio.Event().wait()
            body = pieces.pop() if pieces else b""
            return {"type": "http.request", "body": body, "more_body": bool(pieces)}

        headers = [] if announced is None else [(b"content-length", str(announced).encode())]
        path = f"/class/_stcore/upload_file/{session}/file"
        scope = {"type": "http", "method": "PUT", "path": path, "headers": headers, "query_string": b""}
        try:
            await self.guard(scope, receive, send)
        except HTTPException as refused:
            return refused.status_code
        return status[0]

    async def close_a_tab(self, session: str) -> None:
        self.active.remove(session)
        await self.guard({"type": "websocket", "path": "/_stcore/stream"}, None, None)  # type: ignore[arg-type]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Server], Awaitable[None]]], None]:
    manager, active = MemoryUploadedFileManager(""), {"own", "other", *"abcdef"}
    runtime = SimpleNamespace(uploaded_file_mgr=manager, is_active_session=lambda session: session in active)
    for name, value in {"HELD_FILES": 3, "HELD_BYTES": 100, "GRACE": 0}.items():
        monkeypatch.setattr(held_uploads, name, value)
    monkeypatch.setattr(held_uploads.Runtime, "exists", lambda: True)
    monkeypatch.setattr(held_uploads.Runtime, "instance", lambda: runtime)

    def run(test: Callable[[Server], Awaitable[None]]) -> None:
        async def within() -> None:
            await asyncio.wait_for(test(Server(manager, active)), 30)

        with ThreadPoolExecutor(1) as thread:  # the one of this test may have a loop: that of Playwright
            thread.submit(asyncio.run, within()).result()

    return run


@pytest.mark.parametrize(("files", "size", "session", "status"), [
    (2, 10, "own", 204), (3, 10, "own", 429), (3, 10, "other", 204), (2, 50, "other", 429),
])  # fmt: skip
def test_uploads_that_nobody_reads_do_not_fill_the_memory(
    files: int, size: int, session: str, status: int, served: Callable
) -> None:
    async def test(server: Server) -> None:
        for _ in range(files):
            server.keep("own", b"x" * size)
        assert await server.upload(session, 10, 10) == status

    served(test)


@pytest.mark.parametrize(("sessions", "taken"), [("abcdef", 3), ("aaaaaa", 3)])
@pytest.mark.parametrize("announced", [30, None, 1])
def test_uploads_at_once_are_counted_before_they_have_arrived(
    sessions: str, taken: int, announced: int | None, served: Callable
) -> None:
    async def test(server: Server) -> None:
        server.end.clear()
        asking = [asyncio.create_task(server.upload(session, 30, announced)) for session in sessions]
        while server.waiting < (taken if announced == 30 or sessions == "aaaaaa" else 6):
            await asyncio.sleep(0)
        server.end.set()
        states = await asyncio.gather(*asking)
        assert states.count(204) == taken
        assert set(states) - {204} <= {429, 413}
        assert sum(len(file.data) for of in server.manager.file_storage.values() for file in of.values()) == 30 * taken
        assert await server.upload("other", 10, 10) == 204  # what was refused holds nothing

    served(test)


def test_who_announces_much_and_sends_nothing_loses_the_place(
    monkeypatch: pytest.MonkeyPatch, served: Callable
) -> None:
    monkeypatch.setattr(held_uploads, "PATIENCE", 0.01)

    async def test(server: Server) -> None:
        assert await server.upload("own", 0, 100, ends=False) == 408
        assert await server.upload("other", 10, 10) == 204

    served(test)


def test_files_go_with_their_session_and_stay_when_its_connection_comes_back(served: Callable) -> None:
    async def test(server: Server) -> None:
        server.keep("own", b"x" * 90)
        server.keep("other", b"x" * 5)
        await server.close_a_tab("own")
        await server.close_a_tab("other")
        server.active.add("other")
        while "own" in server.manager.file_storage:
            await asyncio.sleep(0)
        assert list(server.manager.file_storage) == ["other"]

    served(test)


def test_files_without_a_session_make_room_at_once(monkeypatch: pytest.MonkeyPatch, served: Callable) -> None:
    monkeypatch.setattr(held_uploads, "GRACE", 1000)

    async def test(server: Server) -> None:
        server.keep("own", b"x" * 90)
        await server.close_a_tab("own")
        assert list(server.manager.file_storage) == ["own"]
        assert await server.upload("other", 20, 20) == 204

    served(test)
