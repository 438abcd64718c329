"""A page's own settings: by hand and by link, kept when the page is left, gone from the URL at the default."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.session.view import spelled


def page_with_controls() -> None:
    """A page of every kind of control, and what the URL says after it."""
    import streamlit as st

    from pages.shared.session import address, view
    from pages.shared.text import notices
    from pages.shared.ui import controls

    address.read_address()
    address.read_settings("somewhere")
    notices.show()
    values = [
        controls.slider("length", "Length", 1, 64, 16),
        controls.number("rate", "Rate", 0.0, 1.0, 0.5),
        controls.steps("base", "Base", [100, 10_000], 10_000),
        controls.choice("shape", "Shape", {"map": "Map", "curve": "Curve"}, "map"),
        controls.several("dims", "Dimensions", {0: "0", 1: "1", 2: "2"}, [0]),
        controls.select("kind", "Kind", {"a": "A", "b": "B"}, "a"),
        controls.toggle("scaled", "Scaled"),
        controls.text("word", "Word", "Haus", 8),
        controls.picked("token", "Token", 5, 2),
    ]
    st.text(repr(values))
    if st.button("set up", key="set_up"):
        view.choose(length=3, dims=[1, 2], scaled=True)
        st.rerun()
    address.write_address()


DEFAULTS = [16, 0.5, 10_000, "map", [0], "a", False, "Haus", 2]


def visit(**address: str) -> AppTest:
    app = AppTest.from_function(page_with_controls)
    for key, value in address.items():
        app.query_params[key] = value
    return app.run()


def values(app: AppTest) -> str:
    assert not app.exception
    return next(text.value for text in app.text if text.value.startswith("["))


def url(app: AppTest) -> dict[str, str]:
    return {key: text[0] if isinstance(text, list) else text for key, text in app.query_params.items()}


def test_defaults_are_not_in_the_url() -> None:
    app = visit()
    assert values(app) == repr(DEFAULTS)
    assert url(app) == {}


def test_a_link_sets_every_control() -> None:
    address = {
        "length": "8", "rate": "0.25", "base": "100", "shape": "curve", "dims": "0,2", "kind": "b", "scaled": "1",
        "word": "Maus", "token": "4",
    }  # fmt: skip
    app = visit(**address)
    assert values(app) == repr([8, 0.25, 100, "curve", [0, 2], "b", True, "Maus", 4])
    assert url(app) == address


@pytest.mark.parametrize(
    ("key", "value"),
    [("length", "65"), ("length", "x"), ("rate", "nan"), ("base", "7"), ("shape", "<b>"), ("dims", "0,9"),
     ("scaled", "yes"), ("token", "-1"), ("token", "9" * 40)],
)  # fmt: skip
def test_what_a_link_asks_for_in_vain_is_said_once_and_leaves_the_url(key: str, value: str) -> None:
    app = visit(**{key: value})
    assert values(app) == repr(DEFAULTS)
    assert sum(value[:40] in text.value for text in app.text) == 1
    assert url(app) == {}


@pytest.mark.parametrize(
    ("act", "key", "spelling"),
    [
        (lambda app: app.slider(key="length").set_value(20), "length", "20"),
        (lambda app: app.toggle(key="scaled").set_value(True), "scaled", "1"),
        (lambda app: app.selectbox(key="kind").set_value("b"), "kind", "b"),
        (lambda app: app.text_input(key="word").set_value("a,b&c"), "word", "a,b&c"),
    ],
)
def test_a_choice_stands_in_the_url(act: Callable[[AppTest], AppTest], key: str, spelling: str) -> None:
    app = visit()
    act(app).run()
    assert url(app) == {key: spelling}
    app.run()
    assert url(app) == {key: spelling}


def test_going_back_to_the_default_leaves_the_url() -> None:
    app = visit(length="8")
    app.slider(key="length").set_value(16).run()
    assert values(app) == repr(DEFAULTS)
    assert url(app) == {}


def test_code_sets_several_at_once() -> None:
    app = visit()
    app.button(key="set_up").click().run()
    assert values(app).startswith("[3, 0.5, 10000, 'map', [1, 2], 'a', True")
    assert url(app) == {"length": "3", "dims": "1,2", "scaled": "1"}


def test_a_parameter_that_no_control_reads_is_dropped() -> None:
    app = visit(colour="green", length="9")
    assert url(app) == {"length": "9"}


@pytest.mark.parametrize(
    ("value", "text"), [(10_000.0, "10000"), (0.1, "0.1"), (True, "1"), ((1, 2.5), "1,2.5"), ("a", "a")]
)
def test_spelling(value: object, text: str) -> None:
    assert spelled(value) == text
