"""The route that makes and sends the files of `file_menu.py`. A file that cannot be made gets one sentence."""

import logging
from collections import Counter
from http import HTTPStatus
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from model.errors import InvalidInput
from pages.shared.load import fair_use, threads
from pages.shared.server.headers import NO_STORE
from pages.shared.session import language_choice
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui.downloads import file_menu

AT_ONCE = 4  # files of a session that are made or wait for it
_making: Counter[str] = Counter()  # by the session's token


async def send(request: Request) -> Response:
    """The file of a session; made in a thread, because it may take a second."""
    token, key = request.path_params["token"], request.path_params["key"]
    file = file_menu.find(token, key)
    with language_choice.speaking(file.language if file else language_choice.of_request(request)):
        if file is None:
            return _failed(words("notice.file_gone"), HTTPStatus.NOT_FOUND)
        if _making[token] >= AT_ONCE:
            return _failed(words("notice.files_busy"), HTTPStatus.TOO_MANY_REQUESTS)
        _making[token] += 1
        try:
            fair_use.take(fair_use.FILES, token)
            content = await threads.FILES.run(file.make)
        except InvalidInput as error:
            return _failed(refusal(error), HTTPStatus.CONFLICT)
        except Exception as error:
            logging.getLogger(__name__).exception("%s was not made", file.name)
            return _failed(words(notices.key_of(error)), HTTPStatus.INTERNAL_SERVER_ERROR)
        finally:
            _making[token] -= 1
            if not _making[token]:
                del _making[token]
    headers = NO_STORE | {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    return Response(content, media_type=file.type, headers=headers)


ROUTE = Route(f"{file_menu.PATH}/{{token}}/{{key}}", send)


def _failed(sentence: str, status: HTTPStatus) -> Response:
    return PlainTextResponse(sentence, status, headers=NO_STORE | {"X-Reason": "given"})
