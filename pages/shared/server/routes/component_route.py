"""The route of the code of components: see `component_code`."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pages.shared.load import component_code
from pages.shared.server.static.files import KEEP


def code(request: Request) -> Response:
    """Answer with a module as JavaScript."""
    text = component_code.code(request.path_params["file"])
    if text is None:
        return PlainTextResponse("", HTTPStatus.NOT_FOUND)
    return Response(text, media_type="text/javascript", headers={"Cache-Control": KEEP})


ROUTE = Route(f"{component_code.PATH}/{{file}}", code)
