"""The first page where a sentence cannot be read."""

import pytest

from tests.app import keys, said, visit

pytestmark = pytest.mark.usefixtures("warm")


@pytest.mark.parametrize("text", ["ja " * 149, "a" * 1001, "\x07"])
def test_a_sentence_that_cannot_be_read_leaves_the_ways_on(text: str) -> None:
    app = visit("start", sentence=text)
    assert len(said(app)) == 1
    assert {"to_course", "questions", "map"} <= keys(app)
    assert "attention" not in keys(app)
    assert "Why several heads?" in [link.proto.label for link in app.main.get("page_link")]
