"""Views that the reader's browser computes: what the server draws then, and for which pages, models and addresses."""

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from pages.shared.models import live_files, models
from pages.shared.session import page_list
from pages.shared.text.words import all_texts
from tests.app import downloads, go, keys, said, visit
from tests.samples import ROOT

pytestmark = pytest.mark.usefixtures("warm")
EN = all_texts("en")
PAGES = [name for name, page in page_list.pages().items() if page.in_browser]
IN_BROWSER = {"checkpoint": "reverse", "computed": "browser"}


def data(app: AppTest, name: str) -> list[dict[str, Any]]:
    """What the components of that name get."""
    protos = [each.proto for each in app.get("bidi_component") if each.proto.component_name == name]
    found = [json.loads(proto.json) for proto in protos]
    return [json.loads(each) if isinstance(each, str) else each for each in found]


@pytest.mark.parametrize("page", PAGES)
def test_the_frame_stands_in_place_of_the_page_and_the_server_computes_nothing(page: str) -> None:
    typed = f"in{page}"[:8]
    app = visit(page, sentence=typed, **IN_BROWSER)
    [frame] = data(app, "in_browser")
    assert (frame["path"], frame["page"]) == ("/live/reverse/", page)
    assert frame["choices"]["sentence"] == typed
    assert frame["choices"]["language"] == "en"
    assert EN[f"{page}.not_in_browser"] in frame["texts"]["lacks"]
    assert not [key for key in keys(app) if key.startswith("figure_")]
    assert {"page_html", "page_live"} & {*downloads(app)} == {"page_live"}  # nothing of the page is drawn to be saved
    assert "tour_start" not in {button.key for button in app.button}
    assert not models.has_run(catalogue.find("reverse"), typed)


def test_live_pages_have_a_view_for_each_of_these_pages_and_no_other_page_says_what_it_lacks() -> None:
    script = (ROOT / "live/frontend/page/app.js").read_text(encoding="utf-8")
    [tabs] = re.findall(r"const TABS = \{(.*?)\};", script, re.DOTALL)
    assert {*PAGES} <= {*re.findall(r"(\w+): \w+Tab", tabs)}
    assert {key.split(".")[0] for key in EN if key.endswith(".not_in_browser")} == {*PAGES}


def test_the_address_keeps_the_choice_and_what_is_chosen_in_the_frame() -> None:
    app = visit("intervene", changes="off:cross.0.1", **IN_BROWSER)
    [frame] = data(app, "in_browser")
    assert frame["choices"]["changes"] == "off:cross.0.1"
    assert "changes" in frame["own"]
    assert app.query_params["computed"] in ("browser", ["browser"])
    assert app.query_params["changes"] in ("off:cross.0.1", ["off:cross.0.1"])
    go(app, "masks", **IN_BROWSER)
    assert data(app, "in_browser")[0]["page"] == "masks"
    go(app, "masks", checkpoint="reverse", computed="server")
    assert not data(app, "in_browser")
    assert not said(app)
    assert "computed" not in app.query_params


def test_the_switch_says_where_and_is_off_where_only_the_server_computes() -> None:
    app = visit("intervene", **IN_BROWSER)
    assert [(each["able"], each["on"]) for each in data(app, "where")] == [(True, True)]
    go(app, "compare", **IN_BROWSER)
    assert [(each["able"], each["on"]) for each in data(app, "where")] == [(False, False)]
    assert not data(app, "in_browser")


def test_another_place_is_refused_in_a_sentence() -> None:
    app = visit("masks", checkpoint="reverse", computed="moon")
    assert said(app) == [EN["notice.setting"].format(field="computed", value="moon")]
    assert not data(app, "in_browser")


def test_a_model_too_large_for_a_browser_has_no_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_files, "IN_BROWSER", 1000)
    app = visit("masks", **IN_BROWSER)
    assert not data(app, "where")
    assert not data(app, "in_browser")
    assert "figure_mask" in keys(app)
