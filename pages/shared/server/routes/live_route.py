"""Live pages of this server: `GET /live/NAME/FILE`. The model runs in the reader's browser, or here if it is too large.

Files are made when they are first asked for, and named by their content, so that a browser keeps them for good.
"""

from __future__ import annotations

import mimetypes
from functools import lru_cache
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from pages.shared.load import threads
from pages.shared.server.headers import NO_STORE
from pages.shared.server.routes import engine_route
from pages.shared.server.static.files import KEEP
from pages.shared.session import language_choice
from pages.shared.session.base_path import base
from pages.shared.text.words import refusal, words
from pages.shared.ui.downloads.drawn import LIVE

START = "index.html"
_KEPT = 4  # models whose files are kept in memory, some 8 MB each


async def send(request: Request) -> Response:
    """A file of the page of a model."""
    name, path = request.path_params["name"], request.path_params["path"] or START
    entry = catalogue.entries().get(name)
    with language_choice.speaking(language_choice.of_request(request)):
        if entry is None:
            return PlainTextResponse(words("notice.live_gone"), HTTPStatus.NOT_FOUND, headers=NO_STORE)
        try:
            content = (await threads.FILES.run(_files, entry)).get(path)
        except InvalidInput as error:  # a model that reads numbers
            return PlainTextResponse(refusal(error), HTTPStatus.CONFLICT, headers=NO_STORE)
    if content is None:
        return PlainTextResponse(words("notice.live_gone"), HTTPStatus.NOT_FOUND, headers=NO_STORE)
    kind = "application/octet-stream" if path.endswith(".gz") else mimetypes.guess_type(path)[0]
    keeps = "no-cache" if path in (START, "NOTICE.txt") else KEEP
    packed = {"Content-Encoding": "gzip"} if path.endswith(".gz") else {}  # else the middleware packs it once more
    return Response(content, media_type=kind, headers={"Cache-Control": keeps} | packed)


def _closed(request: Request) -> Response:
    """Addresses of files are relative to the folder."""
    return RedirectResponse(f"{request.url.path}/")


ROUTES = (Route(f"{LIVE}/{{name}}", _closed), Route(f"{LIVE}/{{name}}/{{path:path}}", send))


@lru_cache(maxsize=_KEPT)
def _files(entry: Entry) -> dict[str, bytes]:
    from live import pages  # which needs torch

    pages.check(entry)
    try:
        return dict(pages.folder_files([entry]))
    except InvalidInput:  # too large for a browser, or cut by a tokenizer that it cannot have
        return dict(pages.folder_files([entry], engine=f"{base()}{engine_route.PATH}"))
