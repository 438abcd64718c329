"""Whether the model is loaded, for pages that were drawn before."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.shared.models.warmup import is_warm
from pages.shared.server.headers import NO_STORE


async def warm(request: Request) -> Response:
    """204 when it is, 202 until then: no error, which a browser would write to its console."""
    return Response(status_code=HTTPStatus.NO_CONTENT if is_warm() else HTTPStatus.ACCEPTED, headers=NO_STORE)


ROUTE = Route("/warm", warm)
