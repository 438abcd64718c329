"""The routes of who runs the server: the page, its numbers, and Prometheus metrics.

It is no page of Streamlit, so that it answers while pages stand in line.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from http import HTTPStatus

from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages.admin import access, all_processes, metrics
from pages.shared.server.headers import NO_STORE
from pages.shared.server.page_html import ADMIN
from pages.shared.session import language_choice
from pages.shared.session.base_path import base
from pages.shared.text.words import section
from viz.templates import render

_ASK_FOR_TOKEN = {"WWW-Authenticate": "Bearer"}


def page(request: Request) -> Response:
    """The page; it has no number before its user has typed the token."""
    if not access.token():
        return PlainTextResponse("GLASSFORMER_ADMIN is not set.", HTTPStatus.NOT_FOUND)
    language = language_choice.of_request(request)
    return HTMLResponse(_page(language), headers=NO_STORE)


def status(request: Request) -> Response:
    """Answer with the data of the page, as JSON."""
    reports, classrooms, database = all_processes.reports()
    return JSONResponse({"processes": reports, "rooms": classrooms, "database": database}, headers=NO_STORE)


def scrape(request: Request) -> Response:
    """Answer with the metrics that Prometheus collects."""
    reports, classrooms, _ = all_processes.reports()
    return Response(metrics.metrics(reports, classrooms), media_type=CONTENT_TYPE_PLAIN_0_0_4, headers=NO_STORE)


def behind_token(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """A route that answers only whoever sends the token."""

    def guarded(request: Request) -> Response:
        if reason := access.refusal(request):
            return PlainTextResponse(reason.phrase, reason, headers=NO_STORE | _ASK_FOR_TOKEN)
        return answer(request)

    return guarded


ROUTES = [Route(ADMIN, page), Route(f"{ADMIN}/status", behind_token(status)), Route("/metrics", behind_token(scrape))]


@cache
def _page(language: str) -> str:
    with language_choice.speaking(language):
        texts = section("admin")
    data = json.dumps({"address": f"{base()}{ADMIN}/status", "texts": texts})
    return render("pages/admin/page.html", "page", tag=language_choice.tag(language), texts=texts, told=data)
