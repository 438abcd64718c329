"""Live pages of this server: `GET /live/NAME/FILE`. The model runs in the reader's browser, or here if it is too large.

A page is small: it has the texts of one language, and its example shows before its script and its model have come.
Symptom: each phone that loaded a model took the server memory for a copy of it. Cause: what is sent in one piece stays
in the memory of a connection until it is out. Therefore it is sent in pieces.

A page whose files are still being made says so and comes by itself (`live_soon.html`): a proxy waits a minute for an
answer, no longer.
"""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from collections.abc import AsyncIterator
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.links import LIVE
from pages.shared.models import live_files
from pages.shared.server.headers import NO_STORE
from pages.shared.server.static.files import KEEP, takes_packed
from pages.shared.session import language_choice
from pages.shared.text.words import refusal, words
from viz.templates import render

_UNHASHED = ("", "NOTICE.txt", live_files.TRAINING_FILE)  # not named by their content; the first is a page
_PIECE = 64 * 1024  # bytes
_AT_ONCE, _PATIENT = 1.5, 20.0  # seconds for which a page waits for its files, and what can wait (header Prefer)


async def send(request: Request) -> Response:
    """A file of the page of a model."""
    name, path = request.path_params["name"], request.path_params["path"]
    of = name if name in (live_files.SHARED, live_files.TRAINING) else catalogue.entries().get(name)
    language = language_choice.of_request(request)
    with language_choice.speaking(language):
        if of is None:
            return PlainTextResponse(words("notice.live_gone"), HTTPStatus.NOT_FOUND, headers=NO_STORE)
        try:
            can_wait = path or "prefer" in request.headers
            made = asyncio.shield(asyncio.wrap_future(live_files.files(of)))  # others may wait for them, too
            files = await asyncio.wait_for(made, _PATIENT if can_wait else _AT_ONCE)
        except TimeoutError:
            return _soon(language, path)
        except InvalidInput as error:  # a model that reads numbers
            return PlainTextResponse(refusal(error), HTTPStatus.CONFLICT, headers=NO_STORE)
        file = files.get(path or f"index.{language}.html")
        if file is None:
            return PlainTextResponse(words("notice.live_gone"), HTTPStatus.NOT_FOUND, headers=NO_STORE)
    return _sent(request, path, file)


def _soon(language: str, path: str) -> Response:
    """Word that the files are being made: 202 for a page, which is no error, 503 for what a script asks for."""
    if path:
        return PlainTextResponse(words("notice.live_soon"), HTTPStatus.SERVICE_UNAVAILABLE, headers=NO_STORE)
    page = render("pages/shared/server/routes/live_soon.html", "page", spoken=language_choice.language(language),
                  soon=words("notice.live_soon"))  # fmt: skip
    return HTMLResponse(page, HTTPStatus.ACCEPTED, headers=NO_STORE)


def _closed(request: Request) -> Response:
    """Addresses of files are relative to the folder."""
    return RedirectResponse(f"{request.url.path}/{f'?{request.url.query}' if request.url.query else ''}")


ROUTES = (Route(f"{LIVE}/{{name}}", _closed), Route(f"{LIVE}/{{name}}/{{path:path}}", send))


def _sent(request: Request, path: str, file: live_files.File) -> Response:
    """The file, or word that the browser has it. A page brings the browser's cookie each time (`cookie.py`)."""
    is_page, is_packed = not path, path.endswith(live_files.PACKED)
    kind = "application/octet-stream" if is_packed else mimetypes.guess_type(path or "index.html")[0]
    headers = {"Cache-Control": "no-cache" if path in _UNHASHED else KEEP, "ETag": file.tag}
    headers["Vary"] = "Accept-Encoding" + (", Accept-Language, Cookie" if is_page else "")
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers, media_type=kind)
    content = file.content
    if is_packed or takes_packed(request.headers):  # without this header the first would be packed once more
        headers["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    headers["Content-Length"] = str(len(content))
    return StreamingResponse(_pieces(content), headers=headers, media_type=kind)


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), _PIECE):
        yield content[start : start + _PIECE]
