"""Messages of widgets and components to the session."""

from types import SimpleNamespace

import pytest
from streamlit.elements.lib import policies
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


def _repeated() -> None:
    import streamlit as st

    from pages.shared.session import script_run, widgets

    st.slider("x", 1, 5, **widgets.tied("x", 3, 1, {"value": 3}))
    if "again" not in st.session_state:
        st.session_state["again"] = True
        script_run.current().same_controls = True
        st.rerun()


def test_a_run_that_is_repeated_does_not_set_a_widget_twice(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A server's log has a warning, once, of a widget that has an initial value and was set as well."""
    monkeypatch.setattr(policies, "runtime", SimpleNamespace(exists=lambda: True))
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    app = AppTest.from_function(_repeated).run()
    assert not app.exception
    assert app.slider[0].value == 3
    assert "default value" not in caplog.text
