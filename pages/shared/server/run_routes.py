"""A run's numbers for the browser: what is new since the last look, so that no page has to run again for a tick."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model.errors import InvalidInput
from model.jobs.types import Progress
from pages.shared.models.trainings import queue as run_queue
from pages.shared.models.warmup import is_warm
from pages.shared.server.headers import NO_STORE
from pages.shared.server.run_data import drawn, packed
from pages.shared.session.languages import LANGUAGES

if TYPE_CHECKING:
    from model.train.run import Evaluation

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
        found = run_queue.jobs().progress(asked.path_params["id"], 10**_DIGITS).look
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
    """Numbers as short lists: see `read` in live_run.js for what stands where."""
    reports, evaluated = found.reports, [report for report in found.reports if report.evaluation]
    scale = found.settings.d_model if found.settings.scale_embedding else 1  # of an energy, as it is added
    content: dict[str, object] = {
        "state": found.state,
        "position": found.position,
        "wait": _short(found.wait),
        "next": found.next,
        "steps": found.settings.steps,
        "reports": [
            [r.step, *map(_short, (r.loss, r.learning_rate, r.gradient_norm, r.steps_per_second, r.seconds,
             r.seconds_left, r.evaluation_share))] for r in reports
        ],
        "evaluations": [
            [r.step, *map(_short, (e.validation_loss, e.token_accuracy, e.exact_held_out, e.exact_training,
             e.energy.embedding * scale, e.energy.position)), e.held_out, e.training, *_looked_up(e)]
            for r in evaluated if (e := r.evaluation)
        ],
    }  # fmt: skip
    if evaluated and (last := evaluated[-1].evaluation):
        content["samples"] = [[s.source, s.reference, s.output, int(s.held_out), int(s.right)] for s in last.samples]
    if found.look is not None and evaluated:
        content["watched"] = [found.look.sentence, found.look.output]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _looked_up(evaluation: Evaluation) -> list[float | None]:
    """Both losses of repeated letters, then the scores of every head: previous token, then induction."""
    if (found := evaluation.induction) is None:
        return []
    scores = [value for table in (found.previous, found.induction) for row in table for value in row]
    return [_short(value) for value in (found.first, found.again, *scores)]


def _short(value: float | None) -> float | None:
    """Five digits; what is no number is left out."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.5g}")
