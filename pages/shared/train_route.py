"""A run's numbers for the browser: what is new since the last look, so that no page has to run again for a tick."""

import json
import math
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from model.jobs import Progress
from model.moments import Look
from model.refused import Refused
from pages.shared import train_jobs
from pages.shared.train_moments import look_panels
from pages.shared.view import LANGUAGES
from pages.shared.words import catalogue
from viz.attention import attention_data

_DIGITS = 6  # of `since`
_NO_STORE = {"Cache-Control": "no-store"}


async def progress(asked: Request) -> Response:
    """The reports after the first `since` ones."""
    since = asked.query_params.get("since", "0")
    if not (since.isdecimal() and since.isascii() and len(since) <= _DIGITS):
        return _refused("since", 400)
    try:
        found = train_jobs.jobs().progress(asked.path_params["id"], int(since))
    except Refused as error:
        return _refused(error.code, 404)
    return Response(_packed(found), media_type="application/json", headers=_NO_STORE)


def look(asked: Request) -> Response:
    """The attention of the watched sentence as it was last evaluated, as the attention figure reads it."""
    language = asked.query_params.get("language", "en")
    if language not in LANGUAGES:
        return _refused("language", 400)
    try:
        found = train_jobs.jobs().progress(asked.path_params["id"], 10**_DIGITS).look
    except Refused as error:
        return _refused(error.code, 404)
    if found is None:
        return _refused("job_empty", 404)
    return Response(_drawn(found, language), media_type="application/octet-stream", headers=_NO_STORE)


ROUTES = [Route("/runs/{id}", progress), Route("/runs/{id}/look", look)]


def _refused(code: str, status: int) -> Response:
    return JSONResponse({"refused": code}, status, headers=_NO_STORE)


def _packed(found: Progress) -> bytes:
    """Numbers as short lists: see `read` in live_run.js for what stands where."""
    reports, evaluated = found.reports, [report for report in found.reports if report.evaluation]
    scale = found.settings.d_model if found.settings.scale_embedding else 1  # of an energy, as it is added
    content: dict[str, object] = {
        "state": found.state,
        "position": found.position,
        "next": found.next,
        "steps": found.settings.steps,
        "reports": [
            [r.step, *map(_short, (r.loss, r.learning_rate, r.gradient_norm, r.steps_per_second, r.seconds,
             r.seconds_left, r.evaluation_share))] for r in reports
        ],
        "evaluations": [
            [r.step, *map(_short, (e.validation_loss, e.token_accuracy, e.exact_held_out, e.exact_training,
             e.energy.embedding * scale, e.energy.position)), e.held_out, e.training]
            for r in evaluated if (e := r.evaluation)
        ],
    }  # fmt: skip
    if evaluated and (last := evaluated[-1].evaluation):
        content["samples"] = [[s.source, s.reference, s.output, int(s.held_out), int(s.right)] for s in last.samples]
    if found.look is not None and evaluated:
        content["watched"] = [found.look.sentence, found.look.output]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _short(value: float | None) -> float | None:
    """Five digits; what is no number is left out."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.5g}")


@lru_cache(maxsize=64)
def _drawn(found: Look, language: str) -> bytes:
    """Everybody who watches a run is sent the same."""
    table = "attention_figure."
    words = {key.removeprefix(table): text for key, text in catalogue(language).items() if key.startswith(table)}
    panels = look_panels(found)
    return attention_data(panels, view="matrix", kind=panels[-1].kind, layer=0, head=0, words=words)
