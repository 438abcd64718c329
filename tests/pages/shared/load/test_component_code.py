"""The code of components at the addresses that their elements name."""

import re

from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pages.shared.load import component_code
from pages.shared.server.routes import component_route
from tests.app import visit
from viz.components.attention import FRONTEND


def sent(app: AppTest, name: str) -> str:
    """The JavaScript that stands in the element itself."""
    [proto] = [each.proto for each in app.get("bidi_component") if each.proto.component_name == name]
    assert "import(" in proto.js_content
    return proto.js_content


def test_an_element_names_the_file_that_has_its_code(warm: None) -> None:
    js = sent(visit("attention"), "attention")
    assert len(js) < 400
    found = re.search(r'"(/code/attention\.\w+\.js)"', js)
    assert found
    client = TestClient(Starlette(routes=[component_route.ROUTE]))
    answer = client.get(found[1])
    assert answer.text == FRONTEND.js
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/code/attention.js").status_code == 404


def test_the_address_changes_with_the_code() -> None:
    before = set(component_code._codes)
    for number in (1, 2):
        component_code.component("numbered", FRONTEND._replace(js=f"export default () => {number};"))
    new = sorted(set(component_code._codes) - before)
    assert len(new) == 2
    assert {component_code.code(file) for file in new} == {f"export default () => {number};" for number in (1, 2)}
