"""The route of the modules that make films. Their addresses change with them, so that browsers may keep them."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pages.shared.ui.downloads import film_modules
from viz.components import film

KEEP = {"Cache-Control": "public, max-age=31536000, immutable"}


def module(request: Request) -> Response:
    """Answer with a module as JavaScript."""
    name = request.path_params["name"]
    if name not in film.NAMES:
        return PlainTextResponse("", 404)
    return Response(film_modules.text(name), media_type="text/javascript", headers=KEEP)


ROUTE = Route(f"{film_modules.PATH}/{{name}}.js", module)
