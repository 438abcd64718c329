"""The engine of a live page on the server: `POST /engine/NAME/CALL`, which `live/frontend/remote.js` asks."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from pages.shared.links import ENGINE
from pages.shared.load import fair_use, threads
from pages.shared.models import models
from pages.shared.server.headers import NO_STORE
from pages.shared.session import user

if TYPE_CHECKING:
    from model.graph.server_engine import Answer, ServerEngine

MOST = 32_000_000  # bytes of a call: the streams of a long sentence at all depths
_KEPT = 8  # engines; each knows the shapes of its model
_Message = dict[str, Any]
_CALLS: dict[str, Callable[[ServerEngine, _Message], Answer]] = {
    "open": lambda engine, _: engine.opened(),
    "encode": lambda engine, asked: engine.encode(asked["text"]),
    "decode": lambda engine, asked: engine.decode(asked["ids"]),
    "encodeTarget": lambda engine, asked: engine.encode_target(asked["text"]),
    "write": lambda engine, asked: engine.write(
        asked["text"], asked["heads"], asked["forced"], _count(asked), asked.get("only"), asked.get("patches", ())
    ),
    "pass": lambda engine, asked: engine.run(
        asked["source"],
        asked["target"],
        asked["heads"],
        asked.get("only"),
        written=asked.get("written"),
        first=asked["first"],
        count=_count(asked),
        patches=asked.get("patches", ()),
    ),
    "effects": lambda engine, asked: engine.effects(*_fields(asked, "source target heads")),
    "gradients": lambda engine, asked: engine.gradients(*_fields(asked, "source target row word scales")),
    "scoreParts": lambda engine, asked: engine.score_parts(*_fields(asked, "kind layer")),
    "scoreRow": lambda engine, asked: engine.score_row(
        *_fields(asked, "source target heads kind layer picked grouped")
    ),
    "analyse": lambda engine, asked: engine.analyse(asked["analysis"], _array(asked)),
}


async def answer(request: Request) -> Response:
    """One call; 422 with the code of a sentence for what cannot be computed."""
    call = _CALLS.get(request.path_params["call"])
    entry = catalogue.entries().get(request.path_params["name"])
    if call is None or entry is None or not entry.reads_text:
        return _refused(InvalidInput("engine_call"), HTTPStatus.NOT_FOUND)
    if int(request.headers.get("content-length", MOST + 1)) > MOST:
        return _refused(InvalidInput("engine_call"), HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    body = await request.body()
    try:
        who = request.cookies.get(user.NAME) or (request.client.host if request.client else "")
        fair_use.take(fair_use.CALLS, who)
        return Response(await threads.ENGINES.run(_answered, call, entry, body), headers=NO_STORE)
    except InvalidInput as error:
        is_many = error.code.startswith("fair_")
        return _refused(error, HTTPStatus.TOO_MANY_REQUESTS if is_many else HTTPStatus.UNPROCESSABLE_ENTITY)
    except (KeyError, TypeError, ValueError):  # a message that no page of ours sends
        return _refused(InvalidInput("engine_call"), HTTPStatus.BAD_REQUEST)


ROUTE = Route(f"{ENGINE}/{{name}}/{{call}}", answer, methods=["POST"])


def _answered(call: Callable[[ServerEngine, _Message], Answer], entry: Entry, body: bytes) -> bytes:
    return packed(call(_engine(entry), json.loads(body)))


@lru_cache(maxsize=_KEPT)
def _engine(entry: Entry) -> ServerEngine:
    from model.graph.server_engine import ServerEngine  # which needs torch

    return ServerEngine(models.checkpoint(entry), entry)


def packed(answer: Answer) -> bytes:
    """Length of the header, header, then the float32 numbers of all arrays in its order; `opened` of remote.js."""
    groups = answer.arrays
    shapes = {group: [(name, array.shape) for name, array in arrays.items()] for group, arrays in groups.items()}
    text = json.dumps(answer.plain | {"arrays": shapes}, ensure_ascii=False, separators=(",", ":")).encode()
    numbers = (np.ascontiguousarray(each, "<f4").tobytes() for arrays in groups.values() for each in arrays.values())
    return struct.pack("<I", len(text)) + text + b"".join(numbers)


def _fields(asked: _Message, names: str) -> list[Any]:
    return [asked[name] for name in names.split()]


def _count(asked: _Message) -> int:
    return min(50, max(1, int(asked.get("candidates") or 8)))


def _array(asked: _Message) -> np.ndarray:
    return np.array(asked["data"], np.float32).reshape([int(size) for size in asked["shape"]])


def _refused(error: InvalidInput, status: HTTPStatus) -> Response:
    return JSONResponse({"code": error.code, "fields": error.values}, status, headers=NO_STORE)
