"""Addresses that name no page, and errors that nobody foresaw."""

import ast
import runpy
from pathlib import Path
from unittest.mock import patch

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.shared.server.redirects import right_address
from pages.shared.session import page_list
from pages.shared.text import notices
from pages.shared.text.words import all_texts
from tests.app import PAGES, said, sentence, visit
from tests.samples import LANGUAGES, ROOT

RIGHT = ["/", "", "/attention", "/train"]
WRONG = {
    "/Attention": "./attention",
    "/attention/deep": "../attention",
    "/attention/deep/er": "../../attention",
    "/en/masks": "../masks",
    "/admin/masks": "../masks",
    "/start": "./",
    "/nosuch": "./?lost=nosuch",
    "/a b/c": "../?lost=a%20b%2Fc",
    "/<b>": "./?lost=%3Cb%3E",
    "/%3C": "./?lost=%253C",
    "/" + 500 * "x": "./?lost=" + 40 * "x",
    "//elsewhere.org/x": "../../?lost=%2Felsewhere.org%2Fx",
    "/位置": "./?lost=%E4%BD%8D%E7%BD%AE",
}


@pytest.mark.parametrize("path", RIGHT)
def test_a_page_has_one_address(path: str) -> None:
    assert right_address(path, "layer=1") is None


@pytest.mark.parametrize("path", WRONG)
def test_other_addresses_lead_to_what_was_meant(path: str) -> None:
    assert right_address(path, "") == WRONG[path]


def test_the_view_goes_along() -> None:
    assert right_address("/en/attention", "layer=1&head=2") == "../attention?layer=1&head=2"
    assert right_address("/nosuch", "language=zh") == "./?language=zh&lost=nosuch"


def test_below_an_address_of_its_own() -> None:
    with patch.object(st, "get_option", {"server.baseUrlPath": "class/one"}.get):
        for path in RIGHT:
            assert right_address(f"/class/one{path}", "") is None
        for path, right in WRONG.items():
            assert right_address(f"/class/one{path}", "") == right


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_says_which_page_there_is_not(language: str, warm: None) -> None:
    app = visit("start", language, lost="<b>x")
    assert said(app) == [sentence(language, "notice.page", value="<b>x")]
    assert "lost" not in app.query_params


def test_an_error_that_nobody_foresaw_gets_our_sentence() -> None:
    def script() -> None:
        from pages.shared.text import notices

        assert notices.unforeseen(ValueError("secret"))  # Streamlit says nothing itself
        assert notices.unforeseen(ValueError("secret"))

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert [text.value for text in app.text] == 2 * [all_texts("en")["notice.unforeseen"]]


def test_a_full_disk_is_called_so_wherever_it_is_met() -> None:
    def script() -> None:
        from errno import EACCES, EDQUOT, ENOSPC

        from pages.shared.text import notices

        notices.unforeseen(OSError(ENOSPC, "secret"))
        try:
            try:
                raise OSError(EDQUOT, "secret")
            except OSError as error:
                raise ValueError from error
        except ValueError as error:
            notices.unforeseen(error)
        notices.unforeseen(OSError(EACCES, "secret"))

    app = AppTest.from_function(script).run()
    texts = all_texts("en")
    assert [text.value for text in app.text] == 2 * [texts["notice.disk_full"]] + [texts["notice.unforeseen"]]


def test_the_app_is_told_who_says_it() -> None:
    with patch.object(st, "App") as app:
        runpy.run_path(str(ROOT / "app.py"))
    assert app.call_args.kwargs["on_script_error"] is notices.unforeseen


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_that_a_page_does_not_have_is_said(language: str, warm: None) -> None:
    app = visit("attention", language, model="zh-en", utm_source="mail", head="1")
    assert said(app) == [sentence(language, "notice.parameter", field="model")]
    assert "model" not in app.query_params
    assert app.query_params["head"] in ("1", ["1"])


def test_a_page_s_own_settings_are_known(warm: None) -> None:
    assert said(visit("position", base="100", position_beyond_cell="beyond,1,1")) == []


def asked_by(folder: Path) -> set[str]:
    """The settings that the controls in a folder of pages/ are named by, as far as the name is written there."""
    result = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                of, name, first = node.func.value, node.func.attr, node.args[0]
                asks = isinstance(of, ast.Name) and (of.id == "controls" or (of.id == "view" and name == "setting"))
                if asks and isinstance(first, ast.Constant):
                    result.add(first.value)
    return result


@pytest.mark.parametrize("page", PAGES)
def test_every_control_is_listed_as_a_setting(page: str) -> None:
    """Its own links would get a notice otherwise."""
    assert asked_by(page_list.folder_of(page)) <= set(page_list.pages()[page].settings.split())
