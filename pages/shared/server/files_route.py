"""The route that makes and sends the files of `ui/files.py`. A file that cannot be made gets one sentence."""

import logging
from http import HTTPStatus
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from model.errors import InvalidInput
from pages.shared.server.headers import NO_STORE
from pages.shared.session import languages
from pages.shared.text.words import refusal, words
from pages.shared.ui.downloads import file_menu


def send(request: Request) -> Response:
    """The file of a session; runs in a thread, because it may take a second to make."""
    file = file_menu.find(request.path_params["token"], request.path_params["key"])
    with languages.speaking(file.language if file else languages.of_request(request)):
        if file is None:
            return _failed(words("notice.file_gone"), HTTPStatus.NOT_FOUND)
        try:
            content = file.make()
        except InvalidInput as error:
            return _failed(refusal(error), HTTPStatus.CONFLICT)
        except Exception:
            logging.getLogger(__name__).exception("%s was not made", file.name)
            return _failed(words("notice.unforeseen"), HTTPStatus.INTERNAL_SERVER_ERROR)
    headers = NO_STORE | {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    return Response(content, media_type=file.type, headers=headers)


ROUTE = Route(f"{file_menu.PATH}/{{token}}/{{key}}", send)


def _failed(sentence: str, status: HTTPStatus) -> Response:
    return PlainTextResponse(sentence, status, headers=NO_STORE | {"X-Reason": "given"})
