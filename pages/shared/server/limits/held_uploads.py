"""Limits what uploads hold in memory, with those that are still on their way: of a session, and of all.

Symptom: 28 uploads of 48 MB at once were all taken, and filled the memory beyond every limit. Cause: files were counted
when they had arrived. Therefore a request counts with the length that it announces before its body is read, and one
that announces none as it is read. Streamlit keeps a file until its session ends, also one that no page has asked for,
and ends a session minutes after its tab is closed; here it goes `GRACE` seconds after that, or when room is needed.
A request that announces much and sends nothing loses its place after `PATIENCE` seconds.
"""

import asyncio
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.shared.server.limits.fair_requests import is_upload, refuse

HELD_FILES, HELD_BYTES = 8, 1_000_000_000  # of a session, and of all
GRACE = 30.0  # seconds in which a lost connection may come back
PATIENCE, SLOWEST = 10.0, 10_000  # seconds that a body may take, and as many more as it has bytes a second


@dataclass(eq=False)
class _Coming:
    """An upload that is on its way."""

    session: str
    size: int  # bytes that it announced, or that have been read of it
    read: int = 0


class HeldUploads:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self._coming: set[_Coming] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if is_upload(scope):
                await self._take(scope, receive, send)
            else:
                await self.app(scope, receive, send)
        finally:
            if scope["type"] == "websocket" or is_upload(scope):
                _forget_later()

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app read an upload while there is room for it."""
        coming = _Coming(scope["path"].rsplit("/", 2)[-2], _announced(scope))
        start = asyncio.get_running_loop().time()

        async def counted() -> Message:
            try:
                async with asyncio.timeout_at(start + PATIENCE + coming.read / SLOWEST):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408) from None
            coming.read += len(message.get("body", b""))
            if coming.read > coming.size:
                coming.size = coming.read
                if not self._has_room(coming.session):
                    raise HTTPException(413)  # which the app makes its answer
            return message

        self._coming.add(coming)
        try:
            if self._has_room(coming.session):
                await self.app(scope, counted, send)
            else:
                await refuse(scope, receive, send, "fair_uploads_held")
        finally:
            self._coming.remove(coming)

    def _has_room(self, session: str) -> bool:
        if self._is_full(session):
            _forget(_gone())
        return not self._is_full(session)

    def _is_full(self, session: str) -> bool:
        """Whether a session has too many files, or all of them too many bytes."""
        held = _held()
        files = len(held.get(session, ())) + sum(each.session == session for each in self._coming)
        size = sum(map(sum, held.values())) + sum(each.size for each in self._coming)
        return files > HELD_FILES or size > HELD_BYTES


def _announced(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0


def _files() -> MemoryUploadedFileManager | None:
    return Runtime.instance().uploaded_file_mgr if Runtime.exists() else None  # type: ignore[return-value]


def _held() -> dict[str, list[int]]:
    """The bytes of each file that has arrived, by session."""
    manager = _files()
    held = list(manager.file_storage.items()) if manager else []
    return {session: [len(file.data) for file in list(files.values())] for session, files in held}


def _gone() -> list[str]:
    """The sessions with files and without a connection."""
    return [session for session in _held() if not Runtime.instance().is_active_session(session)]


def _forget_later() -> None:
    if gone := _gone():
        asyncio.get_running_loop().call_later(GRACE, _forget, gone)


def _forget(sessions: list[str]) -> None:
    """Forget the files of these sessions, unless they have a connection again."""
    for session in set(sessions) & set(_gone()):
        _files().remove_session_files(session)  # type: ignore[union-attr]
