"""What came of the test of a class, for its teacher: how many took part, the gain, each question, and the raw data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from classroom.learning.answers import Row
from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.text import learning, notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import record, show
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.downloads.file_menu import File
from viz.charts import learning_charts
from viz.html.plain_table import table_html
from viz.numbers import signed

if TYPE_CHECKING:
    from classroom.classrooms import Membership

EVERY = 3.0  # seconds between two looks at the answers
FEWEST = 3  # who finished both, for their mean; an interval needs more
TYPES = {"answers.csv": "text/csv", "codebook.csv": "text/csv", "analysis.ipynb": "application/x-ipynb+json"}


def results(me: Membership, said: str = "") -> None:
    """Draw how many take part, and the result as far as it is known; again and again, as answers come in.

    `said` is a notice that stands on the page already: when the database is away, both say the same.
    """
    own = record.Section()

    @st.fragment(run_every=EVERY)
    def draw() -> None:
        with record.section(own):
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
    if not rows:
        st.caption(words("class_test.empty"))
        return
    if _result(rows):
        file_menu.links(
            [
                File(f"test_{number}", words(f"class_test.file_{number}"), name, type_, partial(_file, rows, name))
                for number, (name, type_) in enumerate(TYPES.items())
            ]
        )


def _result(rows: Sequence[Row]) -> bool:
    """The gain in sentences and as a chart, then topic by topic and question by question; of few, their mean alone.

    Whether there is a result: of fewer than `FEWEST` it would point to persons, and so would the files.
    """
    from classroom.learning import analysis

    try:
        result = analysis.analyse(rows)
    except InvalidInput as error:
        before, after, *_ = analysis.scores(analysis.complete(rows))
        if len(before) < FEWEST:
            st.caption(notices.plain(refusal(error)))
            return False
        gain = float(after.mean() - before.mean())
        means = {"before": f"{before.mean():.1f}", "after": f"{after.mean():.1f}", "gain": signed(gain, 1)}
        st.text(words("class_test.means", count=len(before), asked=analysis.ASKED, **means))
        st.caption(words("class_test.few", minimum=analysis.MINIMUM))
        return True
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


def _file(rows: Sequence[Row], name: str) -> bytes:
    return learning.files(rows)[name]
