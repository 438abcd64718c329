"""What came of the test of a class, for its teacher: how many took part, the gain, each question, and the raw data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from classroom.learning.answers import Row
from classroom.phases import CLOSED
from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.text import learning, notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import show
from pages.shared.ui.downloads import drawn, file_menu
from pages.shared.ui.downloads.file_menu import File
from viz.charts import learning_charts
from viz.html.plain_table import table_html

if TYPE_CHECKING:
    from classroom.classrooms import Membership

EVERY = 3.0  # seconds between two looks at the answers
TYPES = {"answers.csv": "text/csv", "codebook.csv": "text/csv", "analysis.ipynb": "application/x-ipynb+json"}


def results(me: Membership, said: str = "") -> None:
    """Draw how many take part, again and again, as answers come in; and the result once the test is closed.

    `said` is a notice that stands on the page already: when the database is away, both say the same.
    """
    own = drawn.Section()

    @st.fragment(run_every=EVERY)
    def draw() -> None:
        with drawn.section(own):
            _draw(me, said)

    draw()


def _draw(me: Membership, said: str) -> None:
    from classroom.learning import participants

    try:
        store = my_class.classrooms()
        counts, rows = my_class.ask(lambda: (participants.counts(store, me), participants.rows(store, me)))
    except InvalidInput as error:
        if refusal(error) != said:
            notices.say("warning", refusal(error))
        return
    st.text(words("class_test.counts", **{name: counts[name] for name in ("agreed", "before", "after")}))
    if me.test_phase != CLOSED:
        st.caption(rule())
    elif not rows:
        st.caption(words("class_test.empty"))
    elif _result(rows):
        file_menu.links(
            [
                File(f"test_{number}", words(f"class_test.file_{number}"), name, type_, partial(_file, rows, name))
                for number, (name, type_) in enumerate(TYPES.items())
            ]
        )


def _result(rows: Sequence[Row]) -> bool:
    """The gain in sentences and as a chart, then topic by topic and question by question.

    Whether there is a result: of few people it could identify individuals, and so could the files.
    """
    from classroom.learning import analysis

    try:
        result = analysis.analyse(rows)
    except InvalidInput as error:
        st.caption(notices.plain(refusal(error)))
        return False
    who_counts, gained, *limits = learning.result_sentences(result)
    groups = [
        words(f"class_test.group_{group}", gain=learning.gain_sentences(gain)) for group, gain in result.groups.items()
    ]
    st.text(who_counts)
    st.text(gained)
    show.figure("test_gain", learning_charts.gain_chart(*learning.gain_chart(result)))
    for sentence in (*groups, *limits):
        st.text(sentence)
    show.figure("test_topics", learning_charts.topics_chart(*learning.topics_chart(result)))
    table = learning.question_rows(result)
    with st.container(key="wide_test_questions"):
        st.html(table_html(list(table[0]), [list(row.values()) for row in table]))
    return True


def rule() -> str:
    """When results are shown, and of how many people."""
    from classroom.learning.analysis import MINIMUM

    return words("class_test.rule", minimum=MINIMUM)


def _file(rows: Sequence[Row], name: str) -> bytes:
    return learning.files(rows)[name]
