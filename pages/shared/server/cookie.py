"""The cookie that names a browser: a page that is opened without one gets it."""

import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server.headers import framing_hosts
from pages.shared.session.user import AGE, NAME, PATTERN


class UserCookie:
    """ASGI middleware: a page that is opened gets the cookie, or has it for another day."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "text/html" not in headers.get("accept", ""):
            await self.app(scope, receive, send)
            return
        name = name_in(headers) or secrets.token_urlsafe(16)
        cookie = f"{NAME}={name}; Max-Age={AGE}; Path=/; HttpOnly; {_sent_to(scope)}"

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):  # others may be kept for everybody
                    headers.append("Set-Cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _sent_to(scope: Scope) -> str:
    """With which requests the browser sends it: in a frame on another site only if such hosts are named, by https.

    There it is another cookie for each of these sites (`Partitioned`), so that no site learns of a visit to another.
    """
    if scope.get("scheme") != "https":
        return "SameSite=Lax"
    return "SameSite=None; Secure; Partitioned" if framing_hosts() else "SameSite=Lax; Secure"


def name_in(headers: Headers) -> str:
    """The name in the cookie of a request, or an empty one."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(NAME)
    except CookieError:
        return ""
    return morsel.value if morsel and PATTERN.fullmatch(morsel.value) else ""
