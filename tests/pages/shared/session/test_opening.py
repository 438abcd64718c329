"""What an address that says nothing stands for: the model that reads the language of the user's browser."""

import shutil
import threading
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from pages.shared.layout import sidebar
from pages.shared.models import cache as models
from pages.shared.models import warmup
from pages.shared.session import languages
from tests.app import enter, said, sentence, shown
from tests.fixtures import BUCH, ROOT, SAMPLES

pytestmark = pytest.mark.usefixtures("warm")
ZH = Entry(SAMPLES / "zh-en").card


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that asks for Chinese first."""
    monkeypatch.setattr(languages, "preferred", lambda locale: "zh")


def opened(page: str = "start", **address: str) -> AppTest:
    """Open exactly this address."""
    app = AppTest.from_file(str(ROOT / "pages" / "shell.py"), default_timeout=60)
    for key, value in address.items():
        app.query_params[key] = value
    if page != "start":
        app.switch_page(f"{page}/page.py")
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        *((locale, "zh") for locale in ("zh-CN", "zh-TW", "zh", "zh-CN,en;q=0.8")),
        *((locale, "en") for locale in ("fr-FR", "en,zh;q=0.5", None)),
    ],
)
def test_a_browser_that_asks_for_chinese_gets_it_and_any_other_english(locale: str | None, language: str) -> None:
    assert languages.preferred(locale) == language


def model(app: AppTest) -> str:
    return app.selectbox(key="checkpoint").value


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("page", ["start", "decoding", "checkpoints"])
def test_a_chinese_browser_begins_with_the_model_that_reads_chinese(page: str) -> None:
    app = opened(page)
    assert model(app) == "zh-en"
    assert app.query_params["checkpoint"] in ("zh-en", ["zh-en"])  # any copied link names it
    assert said(app) == []
    if page == "start":
        assert shown(app) == [ZH["examples"][0], ZH["example_translation"]]
        assert {button.label for button in app.button} >= set(ZH["examples"][:3])


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    "address", [{"sentence": BUCH}, {"language": "zh"}, {"layer": "1"}, {"view": "cache"}, {"checkpoint": "de-en"}]
)
def test_a_link_means_the_same_in_a_chinese_browser(address: dict[str, str]) -> None:
    app = opened("decoding", **address)
    assert model(app) == "de-en"
    app.switch_page("start/page.py").run()  # whose link may say nothing
    assert model(app) == "de-en"


def test_another_browser_begins_as_ever() -> None:
    app = opened()
    assert model(app) == "de-en"
    assert "checkpoint" not in app.query_params


@pytest.mark.usefixtures("chinese")
def test_the_switch_of_the_language_keeps_the_model() -> None:
    app = opened()
    app.sidebar.button_group[0].set_value("English").run()
    assert [title.value for title in app.title] == [sentence("en", "start.question")]
    assert model(app) == "zh-en"
    app.selectbox(key="checkpoint").set_value("de-en").run()
    assert model(enter(app, BUCH)) == "de-en"


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("there", [False, True])
def test_without_that_model_nothing_changes(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLES / "de-en", tmp_path / "de-en")
    if there:  # but damaged
        (tmp_path / "zh-en").mkdir()
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = opened()
    assert model(app) == "de-en"
    assert "checkpoint" not in app.query_params
    assert said(app) == []


@pytest.mark.usefixtures("chinese")
def test_its_recorded_example_is_there_before_the_model_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    monkeypatch.setattr(sidebar, "warm_up", lambda: None)
    monkeypatch.setattr(models, "run", lambda *_: pytest.fail("this would wait for torch"))
    app = opened()
    assert shown(app) == [ZH["examples"][0], ZH["example_translation"]]
    assert sentence("zh", "start.recorded") in [caption.value for caption in app.main.caption]


def test_the_first_model_does_not_wait_for_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[tuple[str, bool]] = []
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    monkeypatch.setattr(models, "run", lambda entry, _: loaded.append((entry.name, warmup.is_warm())))
    monkeypatch.setattr(warmup.gc, "freeze", lambda: None)
    warmup._load()
    assert loaded == [(catalogue.FIRST, False), ("zh-en", True)]
