"""The texts that live pages travel with: what their scripts ask for, and no others."""

import re

import pytest

from live.texts import asked_by, texts
from tests.samples import LANGUAGES, ROOT

SCRIPTS = ("page/page.js", "unit/course.js", "unit/quiz.js")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_gets_a_text_for_all_that_it_asks_for(script: str) -> None:
    """What stands in quotes may be the name of something else; then no table has this name."""
    by_language = {language: texts(language, script) for language in LANGUAGES}
    keys = set(by_language["en"])
    assert {frozenset(each) for each in by_language.values()} == {frozenset(keys)}
    tables = {key.partition(".")[0] for key in keys}
    lacking = [each for each in asked_by(script) if not any(re.fullmatch(each, key) for key in keys)]
    assert [each for each in lacking if each.partition("\\.")[0] in tables] == []


def test_what_no_script_asks_for_does_not_travel() -> None:
    page = texts("en")
    assert page["refused.sentence_empty"].startswith("The sentence is empty")
    assert page["labels.hint_span"]
    assert not {"refused.room_full", "pages.energy", "unit.saved"} & set(page)
    assert "[[" not in "".join(page.values())  # the glossary stays in the app


def test_every_text_is_named_where_it_is_asked_for() -> None:
    """Else nobody can read off a script what it needs."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "live" / "frontend").glob("[lpu]*/**/*.js"))
    asked = re.findall(r"\b(?:words|section|named)\((\w[\w.]*)[,)]", code)
    assert set(asked) <= {"key", "table", "name"}, asked
