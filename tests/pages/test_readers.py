"""Pages in Spanish that say nothing of a model: they show sentences of Spanish, and no German."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block
from streamlit.util import calc_hash

from tests.app import PAGES
from tests.house.test_readers import GERMAN
from tests.samples import ROOT

pytestmark = pytest.mark.usefixtures("warm")
NO_TEXT = {"jsContent", "cssContent", "htmlContent", "id", "formId", "key", "queryString"}
# what is not German: elements of HTML, English in a vocabulary, a letter among those of UTF-8
OTHERS = {"ins", "was", "dir", "mir", "ä"}


def opened(page: str, **address: str) -> AppTest:
    """A page as a reader of Spanish finds it."""
    app = AppTest.from_file(str(ROOT / "pages" / "shell.py"), default_timeout=60)
    for key, value in ({"language": "es"} | address).items():
        app.query_params[key] = value
    if page != "start":
        app._page_hash = calc_hash(page)
    app.run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def texts(block: Block) -> Iterator[str]:
    """All that its elements are told, the data of figures included, but for what is packed."""
    for child in block.children.values():
        if isinstance(child, Block):
            yield from texts(child)
        elif child.proto is not None:
            yield from strings(MessageToDict(child.proto))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str) and not re.fullmatch(r"[\w+/=]{200,}", value):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in NO_TEXT:
                yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


@pytest.mark.sample(5)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_in_spanish_shows_no_german(page: str) -> None:
    app = opened(page)
    found = {word: text[:200] for text in texts(app.main) for word in GERMAN.findall(text) if word not in OTHERS}
    assert not found
    if box := [each for each in app.selectbox if each.key == "checkpoint"]:
        assert box[0].value == "es-en"


def test_who_brings_a_model_is_shown_one_that_reads_spanish() -> None:
    code = "\n".join(each.value for each in opened("checkpoints").main.get("code"))
    assert code.count("opus-mt-es-en") == 2
    assert "opus-mt-de-en" not in code
