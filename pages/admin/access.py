"""Access to the administration: it needs the token of `GLASSFORMER_ADMIN`. Without this setting all is refused."""

from __future__ import annotations

import os
from functools import cache
from hmac import compare_digest
from http import HTTPStatus

from starlette.requests import Request

VARIABLE = "GLASSFORMER_ADMIN"
SHORTEST = 16  # characters, so that nobody finds it by trying


@cache
def token() -> str:
    """The token, "" for none. Raises ValueError for one that can be guessed."""
    value = os.environ.get(VARIABLE, "").strip()
    if value and (len(value) < SHORTEST or not value.isascii() or not value.isprintable()):
        raise ValueError(f"{VARIABLE} must have at least {SHORTEST} ASCII characters, such as `openssl rand -hex 16`.")
    return value


def refusal(request: Request) -> HTTPStatus | None:
    """Why a request is not answered, None for one with the token in its `Authorization: Bearer` header."""
    if not token():
        return HTTPStatus.NOT_FOUND
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    right = kind == "Bearer" and compare_digest(secret.encode(), token().encode())
    return None if right else HTTPStatus.UNAUTHORIZED
