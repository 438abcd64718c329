"""Further languages: what they lack stands in English and is counted, and their files hold what English has."""

import html
import json
import os
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.errors import InvalidInput
from pages.shared.session import language_choice
from pages.shared.text import words
from scripts.language import checks, english
from tests.app import visit
from tests.languages import pseudo
from tests.languages.conftest import forget
from viz.languages import FURTHER
from viz.languages import languages as all_languages
from viz.notebook.texts import attention_words


@pytest.mark.parametrize("code", all_languages())
def test_every_language_passes_its_check(code: str) -> None:
    report = checks.check(code)
    assert report.errors == [], report.text()
    assert report.translated == len(english.texts()) or not all_languages()[code].complete


def test_what_a_language_lacks_is_in_english() -> None:
    es, en = words.own_texts("es"), words.own_texts("en")
    assert words.all_texts("es")["pages.attention"] == es["pages.attention"] != en["pages.attention"]
    assert list(words.all_texts("es"))[: len(en)] == list(en)
    assert words.missing("es") == en.keys() - es.keys()
    assert words.missing("en") == words.missing("zh") == frozenset()


def noted(app: AppTest) -> set[str]:
    """The texts that the page says it has in English."""
    found = (re.search('class="gf-english".*?data-texts="(.*?)"', each.proto.body) for each in app.get("html"))
    return {text for match in found if match for text in json.loads(html.unescape(match[1]))}


@pytest.mark.usefixtures("warm")
def test_a_page_counts_its_english_texts_and_no_others(further: Path) -> None:
    """On the page, in a tab, and in a figure of a tab; what another page has is not counted."""
    here, elsewhere = {"masks.lead", "masks.show"}, {"energy.lead", "why.view_trust"}
    all_english = english.texts()
    pseudo.write(further, {key: text for key, text in all_english.items() if key not in here | elsewhere})
    forget()
    assert language_choice.names()[pseudo.CODE] == "עברית מדומה"
    app = visit("masks", pseudo.CODE)
    assert noted(app) == {all_english[key].text for key in here}
    assert [each for each in app.get("html") if "gf-untranslated" in each.proto.body]
    complete = visit("masks", "zh")
    assert not [each for each in complete.get("html") if "gf-untranslated" in each.proto.body]


def test_ten_texts_are_a_language(further: Path) -> None:
    names = [key for key in english.texts() if key.startswith("pages.")][:10]
    pseudo.write(further, {key: english.texts()[key] for key in names})
    forget()
    assert len(words.own_texts(pseudo.CODE)) == 10
    assert language_choice.preferred("he,qps;q=0.9") == "en"  # which a browser gets only when it is chosen
    assert language_choice.first_of(pseudo.CODE, locale=None) == pseudo.CODE
    assert attention_words(pseudo.CODE, written=True) == attention_words("en", written=True)


@pytest.mark.parametrize(
    ("file", "left"),
    [
        ('[masks]\nquestion = "¿{nothing}?"\nlead = "L"', {"masks.lead": "L"}),
        ('[masks]\nlead = "{"', {}),
        ("[masks", {}),
    ],
)
def test_a_mistake_in_a_file_leaves_english_in_its_place(further: Path, file: str, left: dict[str, str]) -> None:
    pseudo.write(further, {})
    pseudo.put(further, "pages/start/words", file)
    forget()
    assert words.own_texts(pseudo.CODE) == left
    assert words.all_texts(pseudo.CODE) == words.all_texts("en") | left


def test_english_is_not_replaced(further: Path) -> None:
    pseudo.put(further, "viz/languages", 'name = "My English"', code="en")
    pseudo.put(further, "pages/start/words", '[frame]\nmodel = "My model"', code="en")
    forget()
    assert (language_choice.names()["en"], words.own_texts("en")["frame.model"]) == ("English", "Model")


def test_several_folders_may_have_languages(further: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pseudo.write(further / "one", {})
    pseudo.put(further / "other", "viz/languages", 'name = "Other"', code="qpt")
    monkeypatch.setenv(FURTHER, os.pathsep.join((str(further / "one"), str(further / "other"))))
    forget()
    assert {pseudo.CODE, "qpt"} <= language_choice.names().keys()


def test_a_folder_of_an_older_version_says_what_to_do(further: Path) -> None:
    (further / pseudo.CODE).mkdir()
    (further / pseudo.CODE / "language.toml").write_text(pseudo.LANGUAGE, encoding="utf-8")
    forget()
    with pytest.raises(ValueError, match=r"Put them where .*, such as pages/start/words/qps\.toml"):
        all_languages()


def test_a_refusal_without_a_sentence_in_the_language_is_in_english(further: Path) -> None:
    text = english.texts()["refused.sentence_empty"]
    pseudo.write(further, {text.key: text})
    forget()
    with language_choice.speaking(pseudo.CODE):
        assert words.refusal(InvalidInput("sentence_empty")) == pseudo.hebrew(text.text)
        assert words.refusal(InvalidInput("config_odd", d_model=3)).startswith("d_model is 3")


def test_a_language_that_says_something_else_is_an_error(further: Path) -> None:
    pseudo.write(further, {})
    pseudo.put(further, "viz/languages", 'name = "x"\ndirection = "up"\n')
    forget()
    with pytest.raises(ValueError, match="direction is 'up', and has to be ltr or rtl"):
        all_languages()
