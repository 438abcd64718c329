"""Answers for the files below `/static/`: text is packed once, and kept as a file among the temporary ones.

Symptom: thirty phones loaded 100 MB. Streamlit sends its files as they are, because packing each answer anew would
take too much of a core. Here a packed file is another file, with an ETag of its own. Who asks for a part of a file
gets it of the plain one. None of these files holds anything of a user.
Test: `tests/pages/shared/server/test_static_files.py`.
"""

import gzip
import os
import re
import tempfile
import threading
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.shared.server.static import ADDED, FILES, modules
from pages.shared.session.base_path import base

KEEP = "public, max-age=31536000, immutable"  # every name has a hash of what is in the file
_TEXT = {".css", ".js", ".json", ".map", ".svg", ".txt", ".wasm"}  # fonts and pictures are packed already
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")


def takes_packed(headers: Headers) -> bool:
    """Whether a browser takes files that are packed with gzip."""
    return bool(_GZIP.search(headers.get("accept-encoding", "")))


class KeptFiles:
    """ASGI middleware that answers for the files below `/static/`; what it does not know is Streamlit's."""

    def __init__(self, app: ASGIApp):
        self.app = app
        self.files = _Files()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        at = f"{base()}/static"
        if scope["type"] != "http" or not scope["path"].startswith(f"{at}/"):
            await self.app(scope, receive, send)
            return
        below = {**scope, "root_path": at}
        try:
            response = await self.files.get_response(self.files.get_path(below), below)
        except HTTPException:
            await self.app(scope, receive, send)
            return
        await response(below, receive, send)


class _Files(StaticFiles):
    """Streamlit's files and ours."""

    def __init__(self) -> None:
        super().__init__(directory=FILES, follow_symlink=True)
        self.all_directories.append(ADDED)
        self._temporary = tempfile.TemporaryDirectory(prefix="glassformer-static-")
        self._packed = Path(self._temporary.name)
        self._lock = threading.Lock()
        text = modules.text().encode()
        self._first = {False: text, True: gzip.compress(text, mtime=0)}  # by whether it is packed

    async def get_response(self, path: str, scope: Scope) -> Response:
        headers = Headers(scope=scope)
        is_packed = takes_packed(headers)
        if path == f"js/{modules.file_name()}":
            response = Response(self._first[is_packed], media_type="text/javascript")
            if is_packed:
                response.headers["Content-Encoding"] = "gzip"
        else:
            response = await super().get_response(path, scope)
            if Path(path).suffix in _TEXT and is_packed and "range" not in headers:
                with suppress(OSError):  # a full disk: then it stays plain
                    packed = await anyio.to_thread.run_sync(self._pack, path)
                    response = self.file_response(packed, os.stat(packed), scope)
                    if response.status_code == HTTPStatus.OK:
                        response.headers["Content-Encoding"] = "gzip"
        if Path(path).suffix in _TEXT:
            response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = KEEP
        return response

    def _pack(self, path: str) -> Path:
        """The packed file; whoever asks for it while it is made waits."""
        packed = self._packed / path
        with self._lock:
            if not packed.exists():
                plain, _ = self.lookup_path(path)
                packed.parent.mkdir(parents=True, exist_ok=True)
                whole = packed.with_name(f"{packed.name}.part")
                whole.write_bytes(gzip.compress(Path(plain).read_bytes(), mtime=0))
                whole.rename(packed)
        return packed
