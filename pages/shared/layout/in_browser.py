"""Where a view is computed: on the server, or in the reader's browser, by the live page of the same name in a frame.

The frame holds the modules of `live/frontend/`. Model, sentence and language go into its address. It tells the page
which head and which sentence are chosen in it, so that the next page opens with them. What else is chosen in it comes
into the address of the page, without a run. `embed=app` leaves out what stands around it here.
"""

import json
from pathlib import Path

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from pages.shared.classroom import my_class, visible
from pages.shared.links import LIVE
from pages.shared.load.component_code import component
from pages.shared.models import current
from pages.shared.models.live_files import runs_in_browsers
from pages.shared.models.sentence import Ended, read, sentence_if_sound
from pages.shared.session import address, page_list, unattended, view, widgets
from pages.shared.session.base_path import base
from pages.shared.text.words import words
from viz.components.frontend import Frontend
from viz.components.js_bundle import bundle
from viz.palette import style_sheet

_FOLDER = "pages/shared/ui/frontend/in_browser"
_ROOT = Path(__file__).parents[3]
_PLACE = ("sentence", "attention_kind", "layer", "head")  # what all pages share and the frame chooses, too


def _frontend(name: str, html: str) -> Frontend:
    return Frontend(html, style_sheet(_ROOT / f"{_FOLDER}/{name}.css"), bundle(f"{_FOLDER}/{name}.js", _ROOT))


_switch = component(
    "where",
    _frontend("where", '<div class="gf-where" role="group"><span></span><button></button><button></button></div>'),
)
_frame = component(
    "in_browser",
    _frontend("frame", '<div class="gf-in-browser"><p><span></span> <button></button></p><p role="status"></p></div>'),
)


def switch(entry: Entry) -> None:
    """Show where the view is computed, and let the reader choose; nothing for a model that no browser here runs."""
    if not _can_run(entry):
        return
    page = page_list.pages()[view.view().page]
    texts = {key: words(f"in_browser.{key}") for key in ("computed", "server", "browser", "server_only")}
    data = {"base": base(), "texts": texts, "able": page.in_browser, "on": _is_on(entry)}
    _switch(data=json.dumps(data, ensure_ascii=False), key="computed")


def show_instead(name: str) -> None:
    """Where the reader's browser is to compute, draw the frame in place of the page `name`, and end the page."""
    entry = current.entry()
    if entry is None or not _is_on(entry):
        return
    if my_class.is_writing(sentence_if_sound(entry)):
        read()  # the board of the class shows it, with its attention
    choices = {"checkpoint": entry.name, "language": view.language()} | address.url_of(name)
    own = page_list.pages()[name].settings.split()
    for key in own:
        view.setting(key)  # so that the address keeps it
    texts = {key: words(f"in_browser.{key}") for key in ("loading", "back")}
    texts |= {
        "lacks": words("in_browser.lacks", lacks=words(f"{name}.not_in_browser")),
        "title": words(f"pages.{name}"),
    }
    data = {
        "base": base(), "path": f"{base()}{LIVE}/{entry.name}/", "page": name, "place": _PLACE, "own": own,
        "texts": texts,
        "choices": choices | {"embed": "app", "visible": visible.current().spelled()},
    }  # fmt: skip
    _frame(
        data=data,
        key="in_browser",
        on_refused_change=widgets.heard("in_browser", "refused", _refused),
        on_chosen_change=widgets.heard("in_browser", "chosen", _chosen),
    )
    raise Ended


def _is_on(entry: Entry) -> bool:
    """Whether the view in view is computed in the browser."""
    chosen = view.view().computed == view.IN_BROWSER and page_list.pages()[view.view().page].in_browser
    return chosen and _can_run(entry) and not my_class.sees_pictures() and not unattended.is_unattended()


def _can_run(entry: Entry) -> bool:
    """Whether the model has a live page on this server, with which a browser computes."""
    return catalogue.entries().get(entry.name) == entry and runs_in_browsers(entry)


def _refused(reason: str | None) -> None:
    """Go on with the server, and say why: the browser cannot run a model, or it saves data."""
    view.choose(computed=None)
    view.refuse("in_browser.saves_data" if reason == "saves_data" else "in_browser.cannot")


def _chosen(told: dict[str, str | None] | None) -> None:
    """Take over what is chosen in the frame, spelled as in its address; None goes back to the default."""
    view.choose(**{key: int(text) if text and key in view.NUMBERS else text for key, text in (told or {}).items()})


def is_shown() -> bool:
    """Whether the frame stands in place of the page, so that nothing of it is there to tour."""
    entry = current.entry()
    return entry is not None and _is_on(entry)
