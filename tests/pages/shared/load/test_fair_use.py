"""One user cannot take the class's share of the server: runs, new sentences and uploads are counted by the minute."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.load import fair_use
from tests.app import enter, said, sentence, visit


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_use, "PER_MINUTE", {fair_use.RUNS: 100, fair_use.PASSES: 2, fair_use.UPLOADS: 1})


def waits(app: AppTest, kind: str) -> bool:
    """Whether the page asks to wait for a part of the minute."""
    limit = fair_use.PER_MINUTE[kind]
    sentences = {sentence("zh", f"refused.fair_{kind}", limit=limit, seconds=seconds) for seconds in range(1, 61)}
    return bool(sentences & set(said(app)))


@pytest.mark.usefixtures("small")
def test_too_many_runs_are_refused_until_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.RUNS, 4)
    app = visit("glossary", "zh")
    for _ in range(3):
        assert not waits(app.run(), fair_use.RUNS)
    assert waits(app.run(), fair_use.RUNS)
    assert not app.main.title
    assert not waits(visit("glossary", "zh"), fair_use.RUNS)  # nobody else is concerned
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.RUNS, 100)
    app.button(key="fair_go_on").click().run()
    assert app.main.title[0].value == sentence("zh", "glossary.question")


@pytest.mark.usefixtures("small")
def test_only_new_sentences_are_counted() -> None:
    first, second = "they read books", "he drinks tea"
    app = visit("energy", "zh", checkpoint="mini-encoder", sentence=first)
    for text in (second, first, second):
        assert not waits(enter(app, text), fair_use.PASSES), text
    assert waits(enter(app, "she reads books"), fair_use.PASSES)
    assert not waits(enter(app, second), fair_use.PASSES)


@pytest.mark.usefixtures("small")
def test_uploads_are_counted_whatever_is_in_them() -> None:
    app = visit("checkpoints", "zh")
    for is_refused in (False, True):
        app.file_uploader[0].set_value([("my.zip", b"no zip", "application/zip")]).run()
        assert waits(app, fair_use.UPLOADS) == is_refused
