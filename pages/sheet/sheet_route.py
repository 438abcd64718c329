"""The route of the sheet: its overview, its tiles, and one number worked out. Everything is named by its content."""

from __future__ import annotations

import json
import math
import re
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


def overview(asked: Request) -> Response:
    """Answer with what stands where, and the smallest level of everything; gzipped."""
    found = _find(asked)
    if isinstance(found, Response):
        return found
    return Response(found.overview, media_type="application/octet-stream", headers=KEEP | {"Content-Encoding": "gzip"})


def tiles(asked: Request) -> Response:
    """The tiles `part.level.row.column` of `of`, with `_` between them, one after the other."""
    found = _find(asked)
    if isinstance(found, Response):
        return found
    wanted = asked.query_params.get("of", "").split("_")
    places = [_TILE.fullmatch(each) for each in wanted]
    if len(places) > MOST or not all(places):
        return _refused("tiles", 400)
    try:
        body = b"".join(found.tile(*map(int, place.groups())) for place in places if place)
    except IndexError:
        return _refused("tile", 404)
    return Response(body, media_type="application/octet-stream", headers=KEEP)


def cell(asked: Request) -> Response:
    """The number at `part`, `row`, `column`, how it was computed, and where its numbers come from."""
    found = _find(asked)
    if isinstance(found, Response):
        return found
    try:
        worked = found.cell(*(asked.path_params[name] for name in ("part", "row", "column")))
    except IndexError:
        return _refused("cell", 404)
    marks = [[found.keys.index(mark.key), mark.row, mark.column] for mark in worked.marks]
    content = asdict(worked) | {"marks": marks}
    return Response(json.dumps(_plain(content)), media_type="application/json", headers=KEEP)


def table(asked: Request) -> Response:
    """All numbers of a part in full precision, as CSV; of a part that is too large, nothing."""
    found = _find(asked)
    if isinstance(found, Response):
        return found
    try:
        body = found.table(asked.path_params["part"])
    except IndexError:
        return _refused("part", 404)
    return Response(body, media_type="text/csv", headers=NO_STORE)


ROUTES = [
    Route(f"{PATH}/{{token}}/overview", overview),
    Route(f"{PATH}/{{token}}/tiles", tiles),
    Route(f"{PATH}/{{token}}/cell/{{part:int}}/{{row:int}}/{{column:int}}", cell),
    Route(f"{PATH}/{{token}}/csv/{{part:int}}", table),
]


def _find(asked: Request) -> source.Source | Response:
    if not is_warm():
        return _refused("loading", 202)
    try:
        found = source.find(asked.path_params["token"])
    except InvalidInput:
        return _refused("gone", 404)
    return found or _refused("gone", 404)


def _plain(value: Any) -> Any:
    """JSON has no infinity: it is written as text."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _refused(code: str, status: int) -> Response:
    return JSONResponse({"refused": code}, status, headers=NO_STORE)
