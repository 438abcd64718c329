"""Refuses connections that pages of another origin open.

Streamlit compares hosts without their ports, and takes localhost and this machine's addresses for its own. So a page
that another program serves on this machine could open a session with the user's cookie. Here the port counts. Settings
of Streamlit name further origins: `server.corsAllowedOrigins`, `browser.serverAddress`, `server.enableCORS = false`.
Test: `tests/pages/shared/server/test_same_origin.py`.
"""

import logging
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

LOG = logging.getLogger(__name__)
_PORTS = {"http": ":80", "https": ":443"}  # which browsers leave out


class SameOrigin:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not _is_allowed(headers := Headers(scope=scope)):
            LOG.warning("Refused a page of %.200r, which asked %.200r", headers["origin"], headers.get("host"))
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: status 403
            return
        await self.app(scope, receive, send)


def _is_allowed(headers: Headers) -> bool:
    origin = headers.get("origin")
    if origin is None or not st.get_option("server.enableCORS"):  # no browser leaves it out
        return True
    try:
        there = urlsplit(origin)
    except ValueError:
        return False
    default = _PORTS.get(there.scheme, "")
    if there.netloc and there.netloc.removesuffix(default) == headers.get("host", "").lower().removesuffix(default):
        return True
    named = config.is_manually_set("browser.serverAddress") and st.get_option("browser.serverAddress")
    return origin in st.get_option("server.corsAllowedOrigins") or bool(named and there.hostname == named)
