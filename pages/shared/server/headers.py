"""Security headers on every response: the page may load from its own server only, and be framed by hosts we name."""

import os
import re
from functools import cache

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    # Streamlit needs inline styles, eval for its charts, and blob: for component modules
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
FRAMES = "GLASSFORMER_FRAMES"  # hosts whose pages may show ours in a frame, with spaces between them
_HOST = re.compile(r"https?://(\*\.)?[\w.-]+(:\d+)?")
NO_STORE = {"Cache-Control": "no-store"}  # for what changes with each request


@cache
def framing_hosts() -> tuple[str, ...]:
    """The hosts of `GLASSFORMER_FRAMES`, such as https://moodle.example.org. Raises ValueError for what is no host."""
    hosts = tuple(os.environ.get(FRAMES, "").split())
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise ValueError(f"{FRAMES} has {host!r}: name hosts as https://moodle.example.org, spaces between them.")
    return hosts


def headers() -> dict[str, str]:
    """Headers of every response."""
    ancestors = " ".join(("'self'", *framing_hosts()))
    policy = f"{HEADERS['Content-Security-Policy']}; frame-ancestors {ancestors}"
    return HEADERS | {"Content-Security-Policy": policy}


class SecurityHeaders:
    """ASGI middleware that adds `headers`."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers())
            await send(message)

        await self.app(scope, receive, send_with_headers)
