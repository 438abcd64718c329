"""The route of the sheet: its overview, its tiles, and one number worked out. Everything is named by its content."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model.errors import InvalidInput
from pages.shared.models.warmup import is_warm
from pages.sheet import source

PATH = "/sheet"
MOST = 96  # tiles of one request
NO_STORE = {"Cache-Control": "no-store"}
KEEP = {"Cache-Control": "private, max-age=3600"}
_TILE = re.compile(r"(\d{1,5})\.(-1|\d{1,2})\.(\d{1,5})\.(\d{1,5})")


def overview(request: Request, sheet: source.Source) -> Response:
    """Answer with what stands where, and the smallest level of everything; gzipped."""
    return Response(sheet.overview, media_type="application/octet-stream", headers=KEEP | {"Content-Encoding": "gzip"})


def tiles(request: Request, sheet: source.Source) -> Response:
    """The tiles `part.level.row.column` of `of`, with `_` between them, one after the other."""
    names = request.query_params.get("of", "").split("_")
    places = [_TILE.fullmatch(each) for each in names]
    if len(places) > MOST or not all(places):
        return _refused("tiles", 400)
    body = b"".join(sheet.tile(*map(int, place.groups())) for place in places if place)
    return Response(body, media_type="application/octet-stream", headers=KEEP)


def cell(request: Request, sheet: source.Source) -> Response:
    """The number at `part`, `row`, `column`, how it was computed, and where its numbers come from."""
    answer = sheet.cell(*(request.path_params[name] for name in ("part", "row", "column")))
    marks = [[sheet.keys.index(mark.key), mark.row, mark.column] for mark in answer.marks]
    content = asdict(answer) | {"marks": marks}
    return Response(json.dumps(_plain(content)), media_type="application/json", headers=KEEP)


def table(request: Request, sheet: source.Source) -> Response:
    """All numbers of a part in full precision, as CSV; of a part that is too large, nothing."""
    return Response(sheet.table(request.path_params["part"]), media_type="text/csv", headers=NO_STORE)


def _route(path: str, answer: Callable[[Request, source.Source], Response], missing: str) -> Route:
    """The answer of the sheet that the request names; what is `missing` where it has no such part."""

    def respond(request: Request) -> Response:
        sheet = _find(request)
        try:
            return sheet if isinstance(sheet, Response) else answer(request, sheet)
        except IndexError:
            return _refused(missing, 404)

    return Route(f"{PATH}/{{token}}/{path}", respond)


ROUTES = [
    _route("overview", overview, "part"),
    _route("tiles", tiles, "tile"),
    _route("cell/{part:int}/{row:int}/{column:int}", cell, "cell"),
    _route("csv/{part:int}", table, "part"),
]


def _find(request: Request) -> source.Source | Response:
    if not is_warm():
        return _refused("loading", 202)
    try:
        sheet = source.find(request.path_params["token"])
    except InvalidInput:
        return _refused("gone", 404)
    return sheet or _refused("gone", 404)


def _plain(value: Any) -> Any:
    """JSON has no infinity: it is written as text."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _refused(code: str, status: int) -> Response:
    return JSONResponse({"refused": code}, status, headers=NO_STORE)
