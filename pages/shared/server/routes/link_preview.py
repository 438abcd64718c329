"""What a link to a page shows where it is sent: title, question, and a film of the page (Open Graph, https://ogp.me).

The films are shipped beside the pages, as `preview_LANGUAGE.gif`; a page without one has that of the start page, and a
language without any those in English. `make screenshots` makes them from the running app.
"""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from pages.shared.session import language_choice, page_list
from pages.shared.session.base_path import base
from pages.shared.text.words import all_texts
from viz.languages import FIRST
from viz.templates import render

PATH = "/preview"
KEEP = {"Cache-Control": "public, max-age=86400"}


def tags(name: str, language: str, host: str) -> str:
    """The elements for the head of a page. Addresses are whole: `host` is such as https://example.org."""
    texts = all_texts(language)
    name = name if f"pages.{name}" in texts else page_list.HOME
    spoken = language if picture(page_list.HOME, language) else FIRST
    shown = name if picture(name, spoken) else page_list.HOME
    return render(
        "pages/shared/server/routes/link_preview.html",
        "tags",
        title="Glassformer" if name == page_list.HOME else f"{texts[f'pages.{name}']} · Glassformer",
        question=texts.get(f"{name}.question", texts[f"{page_list.HOME}.question"]),
        image=f"{host}{base()}{PATH}/{shown}/{spoken}.gif" if picture(shown, spoken) else "",
    )


def picture(name: str, language: str) -> Path | None:
    """The film of a page that is shipped; None where there is none."""
    if name not in page_list.pages() or language not in language_choice.names():
        return None
    path = page_list.folder_of(name) / f"preview_{language}.gif"
    return path if path.is_file() else None


def film(request: Request) -> Response:
    """Answer with the film of a page."""
    path = picture(request.path_params["page"], request.path_params["language"])
    return FileResponse(path, headers=KEEP) if path else PlainTextResponse("", 404)


ROUTE = Route(f"{PATH}/{{page}}/{{language}}.gif", film)
