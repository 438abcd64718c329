"""A run's numbers for the browser: what is new since the last look, so that no page has to run again for a tick."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.run_numbers import numbers, short
from pages.shared.models.warmup import is_warm
from pages.shared.server.headers import NO_STORE
from pages.shared.server.routes.run_data import drawn, packed, told
from pages.shared.session import language_choice

_DIGITS = 6  # of `since`


async def progress(request: Request) -> Response:
    """The reports after the first `since` ones."""
    if not is_warm():  # a server that was started again finds its runs when torch is there
        return _refused("loading", 503)
    since = request.query_params.get("since", "0")
    if not (since.isdecimal() and since.isascii() and len(since) <= _DIGITS):
        return _refused("since", 400)
    try:
        run = run_queue.jobs().progress(request.path_params["id"], int(since))
    except InvalidInput as error:
        return _refused(error.code, 404)
    return Response(_packed(run), media_type="application/json", headers=NO_STORE)


def look(request: Request) -> Response:
    """The attention of the watched sentence as it was last evaluated, as the attention figure reads it."""
    language = request.query_params.get("language", "en")
    if language not in language_choice.names():
        return _refused("language", 400)
    try:
        progress = run_queue.jobs().progress(request.path_params["id"], 10**_DIGITS)
    except InvalidInput as error:
        return _refused(error.code, 404)
    if progress.latest is None:
        return _refused("job_empty", 404)
    return Response(
        drawn(progress.latest, progress.settings.task, language),
        media_type="application/octet-stream",
        headers=NO_STORE,
    )


def moment(request: Request) -> Response:
    """A saved moment: what the model wrote then, and where it looked. In a thread: its file may be elsewhere."""
    language, step = request.query_params.get("language", "en"), request.path_params["step"]
    if language not in language_choice.names():
        return _refused("language", 400)
    try:
        body = packed(request.path_params["id"], step, language)
    except InvalidInput as error:
        return _refused(error.code, 404)
    return Response(body, media_type="application/octet-stream", headers=NO_STORE)


ROUTES = [
    Route("/runs/{id}", progress),
    Route("/runs/{id}/look", look),
    Route("/runs/{id}/moments/{step:int}", moment),
]


def _refused(code: str, status: int) -> Response:
    return JSONResponse({"refused": code}, status, headers=NO_STORE)


def _packed(run: Progress) -> bytes:
    content: dict[str, object] = {
        "state": run.state,
        "position": run.position,
        "wait": short(run.wait),
        "next": run.next,
        "steps": run.settings.steps,
        "reports": [numbers(report, run.settings) for report in run.reports],
    }
    evaluations = [report.evaluation for report in run.reports if report.evaluation]
    if evaluations:
        content["samples"] = told(evaluations[-1].samples)
    if run.latest is not None and evaluations:
        content["watched"] = [run.latest.sentence, run.latest.output]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
