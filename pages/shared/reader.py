"""Which browser this is: a random name in a cookie, so that a reader finds their runs again after a reload.

It says nothing about anybody, and leaves only with requests to this server.
"""

import re
import secrets
from http.cookies import CookieError, SimpleCookie

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared import view

NAME = "glassformer_reader"
AGE = 24 * 3600  # seconds
_PATTERN = re.compile(r"[\w-]{22}")


def reader() -> str:
    """The name in this session's cookie; without one, a name that lasts as long as the session."""
    found = st.context.cookies.get(NAME, "")
    if isinstance(found, str) and _PATTERN.fullmatch(found):  # a page's own tests have no cookies
        return found
    return view.view().name


class ReaderCookie:
    """ASGI middleware: a page that is opened gets the cookie, or has it for another day."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "text/html" not in headers.get("accept", ""):
            await self.app(scope, receive, send)
            return
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        name = _known(headers) or secrets.token_urlsafe(16)
        cookie = f"{NAME}={name}; Max-Age={AGE}; Path=/; HttpOnly; SameSite=Lax{secure}"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _known(headers: Headers) -> str:
    """The name in the cookie of a request, or an empty one."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(NAME)
    except CookieError:
        return ""
    return morsel.value if morsel and _PATTERN.fullmatch(morsel.value) else ""
