"""Addresses that say nothing: they stand for the model that reads the language of the user's browser."""

import shutil
import threading
from pathlib import Path

import pytest
import streamlit as st
from starlette.requests import HTTPConnection
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue, first_models
from model.checkpoint.catalogue import Entry
from pages.shared.layout import sidebar
from pages.shared.models import models, warmup
from pages.shared.session import language_choice
from tests.app import enter, said, sentence, shown
from tests.samples import BUCH, ROOT, SAMPLES

pytestmark = pytest.mark.usefixtures("warm")
LIBRARY = "我在图书馆看书。"
CINE = "Hoy vamos al cine."
ZH = Entry(SAMPLES / "zh-en").card


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that asks for Chinese first."""
    monkeypatch.setattr(language_choice, "preferred", lambda locale: "zh")


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
        *((locale, "zh") for locale in ("zh-CN", "zh-TW", "zh", "zh-CN,en;q=0.8", "fr, zh;q=0.9, en;q=0.8")),
        *((locale, "en") for locale in ("fr-FR", "en,zh;q=0.5", "zh;q=0,fr", "zh;q=0.5,en;q=0.9", "*", ";q=", None)),
        *((locale, "es") for locale in ("es-MX,es;q=0.9,en;q=0.8", "ca,ES;q=0.9")),
    ],
)
def test_a_browser_gets_the_first_language_of_its_list_that_the_app_speaks(locale: str | None, language: str) -> None:
    assert language_choice.preferred(locale) == language


@pytest.mark.parametrize(
    ("named", "chosen", "language"),
    [("", "zh", "zh"), ("en", "zh", "en"), ("", "", "en"), ("", "<b>", "en"), ("xx", "zh", "zh")],
)
def test_the_language_that_was_chosen_last_counts_where_the_address_names_none(
    named: str, chosen: str, language: str
) -> None:
    headers = [(b"cookie", f"{language_choice.COOKIE}={chosen}".encode()), (b"accept-language", b"en-US")]
    scope = {"type": "http", "query_string": f"language={named}".encode(), "headers": headers}
    assert language_choice.of_request(HTTPConnection(scope)) == language


@pytest.mark.parametrize(("chosen", "language"), [("", "zh"), ("es", "es"), ("<b>", "zh")])
def test_the_link_of_a_class_proposes_a_language_to_who_has_chosen_none(chosen: str, language: str) -> None:
    headers = [(b"cookie", f"{language_choice.COOKIE}={chosen}".encode()), (b"accept-language", b"en-US")]
    scope = {"type": "http", "query_string": b"room=K7Q2MX&language=zh", "headers": headers}
    assert language_choice.of_request(HTTPConnection(scope)) == language


@pytest.mark.parametrize(("chosen", "language"), [("", "zh"), ("es", "es")])
def test_a_page_that_the_link_of_a_class_opens_speaks_it(
    chosen: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(st.context), "cookies", {language_choice.COOKIE: chosen} if chosen else {})
    app = opened(room="K7Q2MX", language="zh")
    assert app.selectbox(key="language").value == language


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
    "address",
    [
        {"sentence": BUCH},
        {"sentence": BUCH, "language": "zh"},
        {"cell": "1", "language": "zh"},
        {"layer": "1"},
        {"view": "cache"},
        {"checkpoint": "de-en"},
    ],
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


@pytest.mark.parametrize("address", [{}, {"layer": "1"}, {"sentence": LIBRARY}, {"utm_source": "mail"}])
def test_a_link_in_chinese_means_the_model_that_reads_it_in_every_browser(address: dict[str, str]) -> None:
    app = opened(language="zh", **address)
    assert model(app) == "zh-en"
    assert app.query_params["checkpoint"] in ("zh-en", ["zh-en"])
    assert said(app) == []
    app.switch_page("decoding/page.py").run()
    assert model(app) == "zh-en"


@pytest.mark.parametrize("address", [{}, {"layer": "1"}, {"sentence": CINE}, {"utm_source": "mail"}])
def test_a_link_in_spanish_means_the_model_that_reads_it_in_every_browser(address: dict[str, str]) -> None:
    app = opened(language="es", **address)
    assert model(app) == "es-en"
    assert said(app) == []


@pytest.mark.parametrize("address", [{"sentence": BUCH}, {"sentence": "Bxqz"}, {"cell": "1"}, {"checkpoint": "de-en"}])
def test_an_older_link_in_spanish_means_the_model_that_it_was_made_for(address: dict[str, str]) -> None:
    """Spanish and German have one script, so that the words decide; where they do not, nothing changes."""
    assert model(opened("decoding", language="es", **address)) == "de-en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (CINE, "es"), ("¿Dónde está el libro?", "es"), (BUCH, ""), ("Wir gehen ins Kino.", ""), ("Tom", ""), ("42", ""),
        ("", ""), (LIBRARY, "zh"), ("The cat", ""),
    ],
)  # fmt: skip
def test_the_words_say_which_first_model_a_sentence_is_for(text: str, language: str) -> None:
    assert first_models.language_of(text) == language


@pytest.mark.parametrize(("text", "reads"), [(CINE, "es-en"), (BUCH, "de-en"), (LIBRARY, "zh-en"), (None, "es-en")])
def test_an_untrained_model_reads_the_language_of_the_sentence(text: str | None, reads: str) -> None:
    address = {"sentence": text} if text else {}
    app = opened("start", language="es", checkpoint="untrained-paper", **address)
    assert not [notice for notice in said(app) if "checkpoint" in notice]
    assert shown(app)[0] == (text or Entry(SAMPLES / reads).card["examples"][0])


@pytest.mark.usefixtures("chinese")
def test_a_link_in_english_means_the_first_model_in_a_chinese_browser() -> None:
    assert model(opened(language="en")) == "de-en"


def test_a_lost_model_is_replaced_by_the_one_that_reads_the_language() -> None:
    app = opened(language="zh", checkpoint="nowhere")
    assert model(app) == "zh-en"
    assert said(app) == [sentence("zh", "notice.checkpoint", value="nowhere", used="zh-en")]
    assert model(app.run()) == "zh-en"


def switch(app: AppTest, language: str) -> AppTest:
    app.selectbox(key="language").select(language).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_model_that_nobody_chose_changes_with_the_language(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_choice, "preferred", lambda _: locale)
    app = opened()
    for language, name in (("中文", "zh-en"), ("English", "de-en"), ("Español", "es-en"), ("中文", "zh-en")):
        assert model(switch(app, language)) == name
        assert shown(app)[0] == Entry(SAMPLES / name).card["examples"][0]
        assert said(app) == []
        app.button(key="example_1").click().run()  # which is ours, and goes with its model
    assert app.query_params["checkpoint"] == "zh-en"


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ({"checkpoint": "de-en"}, "de-en"), ({"checkpoint": "reverse"}, "reverse"),
        ({"sentence": "Wo ist mein Hund?"}, "de-en"),
    ],
)  # fmt: skip
def test_a_model_that_the_link_chose_or_reads_the_user_s_sentence_stays(address: dict[str, str], kept: str) -> None:
    app = switch(opened(**address), "中文")
    assert model(app) == kept
    assert app.query_params["checkpoint"] == kept
    if "sentence" in address:
        assert shown(app)[0] == address["sentence"]
    assert model(switch(app, "English")) == kept


@pytest.mark.usefixtures("chinese")
def test_a_model_that_the_user_chose_stays() -> None:
    app = opened()
    for name in ("de-en", "zh-en"):
        app.selectbox(key="checkpoint").set_value(name).run()
    assert model(switch(app, "English")) == "zh-en"
    app.selectbox(key="checkpoint").set_value("de-en").run()
    assert model(switch(enter(app, BUCH), "中文")) == "de-en"


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
    loads: list[tuple[str, bool]] = []
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    monkeypatch.setattr(models, "run", lambda entry, _: loads.append((entry.name, warmup.is_warm())))
    monkeypatch.setattr(warmup.gc, "freeze", lambda: None)
    warmup._load()
    assert loads == [(catalogue.FIRST, False), *((name, True) for name in sorted(catalogue.FIRST_FOR.values()))]
