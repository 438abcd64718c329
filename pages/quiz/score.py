"""The score by topic, and as a file to download."""

from __future__ import annotations

import json

import streamlit as st

from pages.quiz import attempts, callbacks
from pages.quiz.attempts import Attempt
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.downloads.file_menu import File
from viz import spreadsheet

Rows = list[dict[str, object]]


def score() -> None:
    """How many of the answered questions were right at the first answer, in all and by topic."""
    with page.card("figure_score", words("quiz.score")):
        latest = attempts.latest()
        if not latest:
            st.text(words("quiz.score_none"))
            return
        right = sum(attempt.first for attempt in latest.values())
        st.text(words("quiz.score_all", right=right, answered=len(latest)))
        with st.container(horizontal=True, gap="small", key="topics_score"):
            for topic, names in attempts.by_topic(latest).items():
                st.caption(
                    f"{words(f'quiz_topics.{topic}')} {sum(latest[n].first for n in names)}/{len(names)}",
                    width="content",
                )
        with st.container(horizontal=True, gap="small", key="take_score", vertical_alignment="center"):
            answers = rows()  # now: the files are made outside of the session
            file_menu.links(
                [
                    File("csv_quiz", words("take.csv"), "glassformer-quiz.csv", "text/csv", lambda: csv(answers)),
                    File(
                        "json_quiz", words("quiz.json"), "glassformer-quiz.json", "application/json",
                        lambda: as_json(answers),
                    ),
                ]
            )  # fmt: skip
            st.button(words("quiz.start_over"), key="start_over", type="tertiary", on_click=callbacks.start_over)
        st.caption(words("quiz.score_note"))


def rows() -> Rows:
    """A line for each question that counts, in the user's language."""
    titles = section("quiz_columns")
    return [
        {titles[key]: value for key, value in _row(attempt, titles).items()}
        for attempt in attempts.attempts()
        if attempt.counts
    ]


def _row(attempt: Attempt, titles: dict[str, str]) -> dict[str, object]:
    [topic] = attempts.by_topic([attempt.question])
    return {
        "topic": words(f"quiz_topics.{topic}"),
        "question": attempt.question,
        "title": words(f"quiz_{attempt.question}.title"),
        "answers": words("quiz.arrow").join(attempt.answers),
        "result": titles[attempt.state or "open"],
        "hint": titles["yes" if attempt.hint else "no"],
        "numbers": attempt.numbers,
        "model": attempt.model,
        "sentence": attempt.sentence,
    }


def csv(rows: Rows) -> bytes:
    """The lines for a spreadsheet; what was typed stays text there."""
    return spreadsheet.table_of(rows, {}).encode(spreadsheet.ENCODING)


def as_json(rows: Rows) -> bytes:
    """The same as JSON."""
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()
