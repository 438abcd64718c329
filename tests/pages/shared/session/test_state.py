"""What a session keeps, and what only a run does."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.models import own_models


def _script() -> None:
    import streamlit as st

    from pages.shared.models import own_models
    from pages.shared.session.view import view

    view().sentence = f"{view().sentence or ''}x"
    for _ in range(3):
        own_models.mine()
    st.text(str(st.session_state["_view"].sentence))


def test_a_session_keeps_its_view_and_each_run_notes_its_user_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit forgets who was noted when a connection is lost, and the session goes on: their models must stay."""
    noted: list[str] = []
    monkeypatch.setattr(own_models, "_attending", lambda user: noted.append(user) or user)
    app = AppTest.from_function(_script).run()
    assert (app.text[0].value, len(noted)) == ("x", 1)
    app.run()
    assert (app.text[0].value, len(noted)) == ("xx", 2)
    assert noted[0] == noted[1]
