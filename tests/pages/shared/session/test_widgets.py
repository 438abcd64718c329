"""Messages of widgets and components to the session."""

from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st

    from pages.shared.session import widgets

    lines: list[object] = []
    st.session_state["there"] = {"camera": 3}
    for key in ("gone", "there"):
        widgets.heard(key, "camera", lines.append)()
    st.text(str(lines))


def test_a_component_that_is_gone_is_not_heard() -> None:
    app = AppTest.from_function(_script).run()
    assert not app.exception
    assert app.text[0].value == "[3]"
