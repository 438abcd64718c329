"""What came of the test of a class, for its teacher."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

if TYPE_CHECKING:
    from classroom.classrooms import Membership

EVERY = 3.0  # seconds between two looks at the answers


@st.fragment(run_every=EVERY)
def results(me: Membership) -> None:
    """Draw how many take part, and the result as far as it is known."""
    from classroom.learning import participants

    try:
        store = my_class.classrooms()
        counts, rows = my_class.ask(lambda: (participants.counts(store, me), participants.rows(store, me)))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return
    st.text(words("class_test.counts", **{name: counts[name] for name in ("agreed", "before", "after")}))
    if not rows:
        st.caption(words("class_test.empty"))
        return
