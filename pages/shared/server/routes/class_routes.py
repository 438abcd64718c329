"""Classes for the browser: what has changed, and what teachers and students send. No page is rerun for it.

A request says who it comes from by a key in its header (`classroom/keys.py`). No browser adds that by itself, so
another site cannot act as the user. `GET /room` answers when something has changed, or after `PATIENCE` seconds.
`/room/own` is the way into a class and out of it for live pages, which cannot read their browser's cookie, and
`/room/test` the test before and after a lesson as they show it.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import zlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DataError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from classroom import keys, limits
from classroom.texts import storable
from classroom.training import curves
from model.checkpoint.language_fit import Misfit
from model.errors import InvalidInput
from pages.shared.classroom import lesson_test, lessons, my_class, predictions, questions, visible
from pages.shared.classroom.board import from_browser
from pages.shared.links import view_of
from pages.shared.load import fair_use, threads
from pages.shared.server.cookie import name_in
from pages.shared.server.headers import NO_STORE
from pages.shared.session import language_choice, page_list, view
from pages.shared.text import misfits
from pages.shared.text.words import all_texts, refusal, section
from viz.languages import FIRST

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
    is_new = True
    while True:
        try:
            # who teaches hears who is there; of students one looks for all
            snapshot = None if is_new or teacher else my_class.watch().latest(classroom)
            snapshot = snapshot or await threads.LOOKS.run(_snapshot, classroom, member, board)
        except InvalidInput as error:
            return _refused(request, error, HTTPStatus.SERVICE_UNAVAILABLE)
        if snapshot is None:
            return _refused(request, InvalidInput("class_unknown"), 404)
        if _state(snapshot, board, teacher) != since or time.monotonic() >= end:
            with language_choice.speaking(language_choice.of_request(request)):
                content = _content(snapshot, member, board)
            return JSONResponse(content | {"since": _state(snapshot, board, teacher)}, headers=NO_STORE)
        is_new = False
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


async def own(request: Request) -> Response:
    """The class that this browser is in, if any, and the key by which it asks for it."""
    name = name_in(request.headers)
    try:
        me = await threads.LOOKS.run(_membership, keys.key_of(name)) if name else None
    except InvalidInput as error:
        return _refused(request, error, HTTPStatus.SERVICE_UNAVAILABLE)
    return _entered(keys.key_of(name), me) if me else JSONResponse({"code": ""}, headers=NO_STORE)


async def enter(request: Request) -> Response:
    """Join a class as this browser: a JSON object with a `code` and a `nickname`.

    No form of another site sends JSON. A browser without cookies has a key until its page is closed.
    """
    name = name_in(request.headers)
    key = keys.key_of(name or secrets.token_urlsafe(16))
    who = name or (request.client.host if request.client else "")
    try:
        if request.headers.get("content-type") != "application/json":
            raise ValueError
        content = json.loads(await _body(request))
        code, nickname = str(content["code"]), str(content["nickname"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return _refused(request, InvalidInput("class_view"), 400)
    try:
        fair_use.take(fair_use.ACTS, who)
        me = await threads.ACTS.run(my_class.enter, key, code, nickname, who)
    except InvalidInput as error:
        return _refused(request, error, _STATUS.get(error.code, HTTPStatus.CONFLICT))
    return _entered(key, me)


async def leave(request: Request) -> Response:
    """Leave the class, with all that was typed and answered."""
    try:
        await threads.ACTS.run(_leave, _key(request))
    except InvalidInput as error:
        return _refused(request, error, HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse({}, headers=NO_STORE)


async def test(request: Request) -> Response:
    """The test before and after the lesson, as this student takes it."""
    try:
        me = await threads.LOOKS.run(_membership, _key(request))
        if me is None or me.teacher or not me.test_kind:
            return _refused(request, InvalidInput("class_unknown" if me is None else "class_closed"), 404)
        taker = await threads.LOOKS.run(lesson_test.ClassTest(me).read)
    except InvalidInput as error:
        return _refused(request, error, HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse(lesson_test.as_data(taker), headers=NO_STORE)


def _entered(key: str, me: Membership) -> Response:
    return JSONResponse({"key": key, "code": keys.spelled(me.code), "teacher": me.teacher}, headers=NO_STORE)


def _membership(key: str) -> Membership | None:
    with my_class.answering():
        return my_class.classrooms().membership(key)


def _leave(key: str) -> None:
    me = _membership(key)
    with my_class.answering():
        my_class.classrooms().leave(key)
    if me is not None:
        my_class.watch().renew(me.classroom)


_STATUS = {
    "class_teacher": HTTPStatus.FORBIDDEN,
    "rooms_closed": HTTPStatus.SERVICE_UNAVAILABLE,  # the browser asks again
}

ROUTES = [
    Route("/room", look),
    Route("/room", act, methods=["POST"]),
    Route("/room/test", test),
    Route("/room/own", own),
    Route("/room/own", enter, methods=["POST"]),
    Route("/room/own", leave, methods=["DELETE"]),
]


def shown(text: str) -> str:
    """View that a teacher shows, from the address of their page."""
    address = view_of(storable(text))
    if address.partition("?")[0] not in {"", *page_list.pages()}:
        raise InvalidInput("class_view")
    return address


def _owner(key: str) -> tuple[int, int, bool] | None:
    with my_class.answering():
        return my_class.watch().owner(key)


def _snapshot(classroom: int, member: int, board: bool) -> Snapshot | None:
    with my_class.answering():
        return my_class.watch().look(classroom, member, board)


def _act(key: str, act: Callable[[Membership, Mapping[str, Any]], object], content: Mapping[str, Any]) -> None:
    with my_class.answering():
        me = my_class.classrooms().membership(key) if key else None
        if me is None:
            raise InvalidInput("class_unknown")
        try:
            act(me, content)
        except DataError:  # a number that is too large for the database
            raise ValueError from None
    if act in (_answer, _type, _choose, _train):  # what many do at a time, and no student sees of others
        my_class.watch().note(me.classroom)
    else:
        my_class.watch().renew(me.classroom)


def _answer(me: Membership, content: Mapping[str, Any]) -> None:
    task = int(content["task"])
    sure = int(content.get("sure", 0))
    text = my_class.classrooms().answer(me, str(content["text"]), task=task, sure=sure)
    if not me.teacher:
        my_class.watch().answered(me.classroom, me.member, task, text)


def _type(me: Membership, content: Mapping[str, Any]) -> None:
    my_class.classrooms().type(me, *from_browser(content))


def _agree(me: Membership, _: Mapping[str, Any]) -> None:
    from classroom.learning import participants

    participants.take_part(my_class.classrooms(), me)


def _choose(me: Membership, content: Mapping[str, Any]) -> None:
    from classroom.learning import participants

    phase, question = str(content["phase"]), str(content["question"])
    participants.answer(
        my_class.classrooms(), me, phase, question, int(content["choice"]), float(content["seconds"])
    )  # fmt: skip


def _train(me: Membership, content: Mapping[str, Any]) -> None:
    curve = curves.read(content)
    if f"train_task.{curve['task']}" not in all_texts(FIRST):
        raise ValueError
    curves.keep(my_class.classrooms(), me, curve)


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
    "answer": _answer,
    "agree": _agree,
    "choose": _choose,
    "type": _type,
    "train": _train,
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
        "on_device": visible.read(snapshot.students["choice"]).live,
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

    board, tasks = snapshot.board, section("train_task")
    return board | {
        "asked": read(board["asked"]) if board["asked"] else None,
        "earlier": [read(task) for task in board["earlier"]],
        "predictions": predictions.told(board["predictions"]),
        "trainings": [curve | {"title": tasks.get(curve["task"], curve["task"])} for curve in board["trainings"]],
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
