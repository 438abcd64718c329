"""The page of changes as a test opens and reads it."""

import html
import re

from streamlit.testing.v1 import AppTest

from tests.app import nothing_is_marked_up, visit

OFF = "off:cross.1.0"


def open_page(language: str = "en", **address: str) -> AppTest:
    app = visit("intervene", language, **address)
    nothing_is_marked_up(app)
    return app


def listed(app: AppTest) -> list[tuple[str, bool]]:
    """The lines of the list and whether each is on."""
    switches = [toggle for toggle in app.main.toggle if str(toggle.key).startswith("on_")]
    return [(toggle.label.replace("\\", ""), toggle.value) for toggle in switches]


def link(app: AppTest) -> str | None:
    value = app.query_params.get("changes")
    return value[0] if isinstance(value, list) else value


def outputs(app: AppTest) -> str:
    """The two outputs as they are read."""
    bodies = [element.proto.body for element in app.main.get("html")]
    return html.unescape(re.sub(r"<[^>]*>", "", next(body for body in bodies if "gf-outputs" in body)))


def texts(app: AppTest) -> list[str]:
    return [element.value for element in app.main.text]
