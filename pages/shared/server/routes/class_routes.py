"""Classes for the browser: what has changed, and what teachers and students send. No page is rerun for it.

A request says who it comes from by a key in its header (`classroom/keys.py`). No browser adds that by itself, so
another site cannot act as the user. `GET /room` answers when something has changed, or after `PATIENCE` seconds.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DataError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from classroom import limits
from classroom.texts import storable
from model.checkpoint.language_fit import Misfit
from model.errors import InvalidInput
from pages.shared.classroom import lessons, my_class, questions
from pages.shared.links import view_of
from pages.shared.load import fair_use, threads
from pages.shared.server.headers import NO_STORE
from pages.shared.session import language_choice, page_list, view
from pages.shared.text import misfits
from pages.shared.text.words import refusal

if TYPE_CHECKING:
    from classroom.classrooms import Membership
    from classroom.snapshot import Snapshot

PATIENCE = 10.0  # seconds
STEP = 0.25  # seconds between two looks
BODY = 16_000  # bytes of a request
SLOWEST = 10.0  # seconds until a request has arrived


async def look(request: Request) -> Response:
    """The class: with `board` the teacher's, else what everyone sees. `since` is what the browser has."""
    key = _key(request)
    try:
        owner = await threads.LOOKS.run(_owner, key) if key else None
    except InvalidInput as error:
        return _refused(request, error, HTTPStatus.SERVICE_UNAVAILABLE)
    if owner is None:
        return _refused(request, InvalidInput("class_unknown"), 404)
    classroom, member, teacher = owner
    board = "board" in request.query_params
    if board and not teacher:
        return _refused(request, InvalidInput("class_teacher"), 403)
    since, end = request.query_params.get("since", ""), time.monotonic() + PATIENCE
    while True:
        try:
            snapshot = await threads.LOOKS.run(_snapshot, classroom, member)
        except InvalidInput as error:
            return _refused(request, error, HTTPStatus.SERVICE_UNAVAILABLE)
        if snapshot is None:
            return _refused(request, InvalidInput("class_unknown"), 404)
        if _state(snapshot, board, teacher) != since or time.monotonic() >= end:
            with language_choice.speaking(language_choice.of_request(request)):
                content = _content(snapshot, member, board)
            return JSONResponse(content | {"since": _state(snapshot, board, teacher)}, headers=NO_STORE)
        await asyncio.sleep(STEP)


async def act(request: Request) -> Response:
    """Execute an action of a teacher or a student: a JSON object whose `do` names one of `_ACTS`."""
    try:
        content = json.loads(await _body(request))
        name = content["do"]
        act = _ACTS[name]
    except (ValueError, KeyError, TypeError, RecursionError):  # the last of brackets within brackets
        return _refused(request, InvalidInput("class_view"), 400)
    try:
        fair_use.take(fair_use.ACTS, _key(request) or "nobody")
        await threads.ACTS.run(_act, _key(request), act, content)
    except InvalidInput as error:
        return _refused(request, error, _STATUS.get(error.code, HTTPStatus.CONFLICT))
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return _refused(request, InvalidInput("class_view"), 400)
    return JSONResponse({}, headers=NO_STORE)


_STATUS = {
    "class_teacher": HTTPStatus.FORBIDDEN,
    "rooms_closed": HTTPStatus.SERVICE_UNAVAILABLE,  # the browser asks again
}

ROUTES = [Route("/room", look), Route("/room", act, methods=["POST"])]


def shown(text: str) -> str:
    """View that a teacher shows, from the address of their page."""
    address = view_of(storable(text))
    if address.partition("?")[0] not in {"", *page_list.pages()}:
        raise InvalidInput("class_view")
    return address


def _owner(key: str) -> tuple[int, int, bool] | None:
    with my_class.answering():
        return my_class.watch().owner(key)


def _snapshot(classroom: int, member: int) -> Snapshot | None:
    with my_class.answering():
        return my_class.watch().look(classroom, member)


def _act(key: str, act: Callable[[Membership, Mapping[str, Any]], object], content: Mapping[str, Any]) -> None:
    with my_class.answering():
        me = my_class.classrooms().membership(key) if key else None
        if me is None:
            raise InvalidInput("class_unknown")
        try:
            act(me, content)
        except DataError:  # a number that is too large for the database
            raise ValueError from None
    my_class.watch().renew(me.classroom)


def _ask(me: Membership, content: Mapping[str, Any]) -> None:
    lines = dict.fromkeys(line.strip() for line in str(content["options"]).splitlines() if line.strip())  # each once
    kind = "choice" if lines else "text"
    my_class.classrooms().ask(me, kind, str(content["question"]), [(line, line) for line in lines])


def _says(content: Mapping[str, Any]) -> lessons.Text:
    """What a lesson says to the class, by language."""
    return lessons.texts(content.get("says") or {})


_ACTS: dict[str, Callable[[Membership, Mapping[str, Any]], object]] = {
    "show": lambda me, content: my_class.classrooms().show(me, shown(str(content["view"])), _says(content)),
    "say": lambda me, content: my_class.classrooms().say(me, _says(content)),
    "lock": lambda me, content: my_class.classrooms().lock(me, bool(content["locked"])),
    "remove": lambda me, content: my_class.classrooms().remove(
        me, [int(member) for member in content["members"]][: limits.MEMBERS], bool(content["removed"])
    ),
    "countdown": lambda me, content: my_class.classrooms().count_down(me, float(content["minutes"])),
    "hide": lambda me, content: my_class.classrooms().hide(me, int(content["sentence"]), bool(content["hidden"])),
    "hide_answer": lambda me, content: my_class.classrooms().hide_answer(
        me, int(content["task"]), str(content["text"]), bool(content["hidden"])
    ),
    "ask": _ask,
    "close": lambda me, content: my_class.classrooms().close(me),
    "answer": lambda me, content: my_class.classrooms().answer(me, str(content["text"]), task=int(content["task"])),
}


def _state(snapshot: Snapshot, board: bool, teacher: bool) -> str:
    """Mark of a snapshot: another mark is news for a browser. Who comes and goes is news to teachers only."""
    count = snapshot.noted if board else snapshot.changed
    here = snapshot.present(my_class.classrooms().clock()) if teacher else []
    return f"{count}.{zlib.crc32(repr(sorted(here)).encode()):x}"


def _content(snapshot: Snapshot, member: int, board: bool) -> dict[str, Any]:
    now = my_class.classrooms().clock()
    present = snapshot.present(now)
    task, mine = snapshot.students["task"], snapshot.answered.get(member)
    return {
        **snapshot.students,
        "task": questions.in_words(task, [mine] if mine else []) if task else None,
        "says": lessons.in_language(snapshot.students["says"], view.language()),
        "left": None if snapshot.until is None else max(0.0, round(snapshot.until - now, 1)),
        "present": len(present),
        "mine": mine,
        **(_board(snapshot) | {"here": present} if board else {}),
    }


def _board(snapshot: Snapshot) -> dict[str, Any]:
    """The teacher's board, its questions and what is wrong with its sentences in the teacher's language."""

    def read(task: dict[str, Any]) -> dict[str, Any]:
        return questions.in_words(task, [answer for answer, *_ in task["answers"]])

    board = snapshot.board
    return board | {
        "asked": read(board["asked"]) if board["asked"] else None,
        "earlier": [read(task) for task in board["earlier"]],
        "sentences": [sentence | {"misfit": _reason(sentence["misfit"])} for sentence in board["sentences"]],
    }


def _reason(content: dict[str, Any] | None) -> str:
    """Why its model cannot read a sentence, "" where it can; also of what another version has kept."""
    try:
        return misfits.reason(Misfit(**content["found"]), content["source"], content["target"]) if content else ""
    except (KeyError, TypeError):
        return ""


def _key(request: Request) -> str:
    kind, _, key = request.headers.get("authorization", "").partition(" ")
    return key if kind == "Bearer" else ""


async def _body(request: Request) -> bytes:
    """All of it; raises ValueError for one that is too large, or that comes too slowly."""
    body = b""
    try:
        async with asyncio.timeout(SLOWEST):
            async for part in request.stream():
                body += part
                if len(body) > BODY:
                    raise ValueError
    except TimeoutError:
        raise ValueError from None
    return body


def _refused(request: Request, error: InvalidInput, status: int) -> Response:
    with language_choice.speaking(language_choice.of_request(request)):
        return JSONResponse({"refused": error.code, "says": refusal(error)}, status, headers=NO_STORE)
