"""A run's numbers for the browser: what is new since the last look, so that no page has to run again for a tick."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.run_numbers import numbers, short
from pages.shared.models.warmup import is_warm
from pages.shared.server.headers import NO_STORE
from pages.shared.server.run_data import drawn, packed, told
from pages.shared.session.languages import LANGUAGES

if TYPE_CHECKING:
    pass

_DIGITS = 6  # of `since`


async def progress(asked: Request) -> Response:
    """The reports after the first `since` ones."""
    if not is_warm():  # a server that was started again finds its runs when torch is there
        return _refused("loading", 503)
    since = asked.query_params.get("since", "0")
    if not (since.isdecimal() and since.isascii() and len(since) <= _DIGITS):
        return _refused("since", 400)
    try:
        found = run_queue.jobs().progress(asked.path_params["id"], int(since))
    except InvalidInput as error:
        return _refused(error.code, 404)
    return Response(_packed(found), media_type="application/json", headers=NO_STORE)


def look(asked: Request) -> Response:
    """The attention of the watched sentence as it was last evaluated, as the attention figure reads it."""
    language = asked.query_params.get("language", "en")
    if language not in LANGUAGES:
        return _refused("language", 400)
    try:
        found = run_queue.jobs().progress(asked.path_params["id"], 10**_DIGITS).latest
    except InvalidInput as error:
        return _refused(error.code, 404)
    if found is None:
        return _refused("job_empty", 404)
    return Response(drawn(found, language), media_type="application/octet-stream", headers=NO_STORE)


def moment(asked: Request) -> Response:
    """A saved moment: what the model wrote then, and where it looked. In a thread: its file may be elsewhere."""
    language, step = asked.query_params.get("language", "en"), asked.path_params["step"]
    if language not in LANGUAGES:
        return _refused("language", 400)
    try:
        found = packed(asked.path_params["id"], step, language)
    except InvalidInput as error:
        return _refused(error.code, 404)
    return Response(found, media_type="application/octet-stream", headers=NO_STORE)


ROUTES = [
    Route("/runs/{id}", progress),
    Route("/runs/{id}/look", look),
    Route("/runs/{id}/moments/{step:int}", moment),
]


def _refused(code: str, status: int) -> Response:
    return JSONResponse({"refused": code}, status, headers=NO_STORE)


def _packed(found: Progress) -> bytes:
    content: dict[str, object] = {
        "state": found.state,
        "position": found.position,
        "wait": short(found.wait),
        "next": found.next,
        "steps": found.settings.steps,
        "reports": [numbers(report, found.settings) for report in found.reports],
    }
    evaluations = [report.evaluation for report in found.reports if report.evaluation]
    if evaluations:
        content["samples"] = told(evaluations[-1].samples)
    if found.latest is not None and evaluations:
        content["watched"] = [found.latest.sentence, found.latest.output]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
