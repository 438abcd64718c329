"""Predict first: a question that the running model decides, an answer with how sure it is, then what was measured."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from model.errors import InvalidInput
from model.predict.grading import CONFIDENCES
from model.predict.prediction import KINDS
from pages.quiz import predicted, question_choice
from pages.quiz.predicted import Predicted
from pages.shared.classroom import my_class, predictions
from pages.shared.layout import page
from pages.shared.models import drawn_predictions
from pages.shared.models.drawn_predictions import Json
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, script_run, view, widgets
from pages.shared.session.state import state
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls, show, token_picker
from viz.components.classroom.prediction_row import FRONTEND, row_data
from viz.html.quiz import row_html
from viz.numbers import percent

_row = st.components.v2.component("prediction_row", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)


def prediction(current_run: CurrentRun) -> None:
    """The question of the chosen kind, its answer, and the user's predictions so far."""
    with page.card("figure_prediction", words("predict.title"), words("predict.lead")):
        kinds = {name: words(f"predict_kinds.{name}") for name in KINDS}
        name = controls.select("predict", words("predict.kind"), kinds, next(iter(KINDS)))
        numbers = controls.picked("numbers", words("quiz.numbers"), question_choice.LIMIT, 0)
        content = drawn_predictions.drawn(
            current_run.entry, current_run.sentence, name, numbers or question_choice.own_numbers(),
            drawn_predictions.place_in_view(),
        )  # fmt: skip
        if content is None:
            st.text(words("predict.none"))
        else:
            _asked(content)
        _so_far()


def _asked(content: Json) -> None:
    with st.container(key="asked"):
        st.text(predictions.asks(content))
    me = my_class.membership()
    goes_on = me is not None and not me.ended
    made = predicted.of(content)
    if me is not None and goes_on and not me.teacher and made is None:
        st.caption(words("predict.in_class"))
        return
    if made is None:
        _answer(content)
    else:
        _measured(content, made)
    with st.container(horizontal=True, key="prediction_ways", gap="small"):
        if me is not None and goes_on and me.teacher:
            st.button(words("predict.ask_this"), key="ask_prediction", on_click=_ask, args=(content,))
        if made is not None:
            name, settings = drawn_predictions.door(content)
            if st.button(words("predict.door", page=words(f"pages.{name}")), key="prediction_door"):
                address.open_page(name, **settings)
        st.button(words("predict.again"), key="prediction_again", type="tertiary", on_click=_again)
    if says := view.kept("prediction_asked"):
        st.caption(notices.plain(says))
        view.keep(prediction_asked=None)


def _answer(content: Json) -> None:
    """The controls; nothing of them is in the link."""
    mark = predictions.name_of(content)
    with st.container(key="prediction_answer", gap="small"):
        answer = _chosen(content, mark)
        steps = {step: predictions.sure(step) for step in range(1, len(CONFIDENCES) + 1)}
        sure = st.segmented_control(
            words("predict.sure"), list(steps), format_func=steps.__getitem__, key=f"sure_{mark}"
        )  # fmt: skip
        ready = answer is not None and sure is not None
        st.button(
            words("predict.reveal"), key="prediction_reveal", type="primary", disabled=not ready,
            help=None if ready else words("predict.choose"), on_click=predicted.keep, args=(content, answer, sure),
        )  # fmt: skip


def _chosen(content: Json, mark: str) -> str | None:
    question = notices.plain(predictions.asks(content))
    if content["look"] == "percent":
        key = f"percent_{mark}"
        value = st.slider(words("predict.percent"), 0, 100, 50, format="%d%%", key=key)
        return str(value)
    options = predictions.options(content)
    names = token_picker.distinct([*options.values()])  # a button is known by what stands on it
    texts = {option: notices.plain(name) for option, name in zip(options, names, strict=True)}
    if content["look"] == "words":
        return _word(content, mark, question, texts)
    return st.radio(
        question, list(texts), format_func=texts.__getitem__, label_visibility="collapsed", key=f"answer_{mark}",
        index=None,
    )  # fmt: skip


@dataclass
class Chosen:
    """The word that is chosen in answer to the question `mark`, in the figure or by a button, and not sent yet."""

    mark: str = ""
    answer: str | None = None


def _word(content: Json, mark: str, question: str, texts: dict[str, str]) -> str | None:
    """A word of a row of attention: a click on its cell in the figure, or on its button."""
    chosen = state(Chosen)
    if chosen.mark != mark:
        chosen.mark, chosen.answer = mark, None

    def choose(answer: str | None) -> None:
        chosen.answer = answer

    def clicked(answer: str | None) -> None:
        if answer in texts:
            choose(answer)
            script_run.touch()

    st.caption(words("predict_line.predict_row"))
    _figure(content, f"row_{mark}", chosen.answer, clicked)
    st.pills(
        question, list(texts), format_func=texts.__getitem__, label_visibility="collapsed",
        **widgets.held(f"answer_{mark}", chosen.answer, choose),
    )  # fmt: skip
    return chosen.answer


def _figure(
    content: Json, key: str, chosen: str | None, clicked: Callable[[str | None], None], *, measured: bool = False
) -> None:  # fmt: skip
    """The row with empty cells, or with the weights that were measured."""
    values = content["values"]
    data = row_data(
        values["query"], values["kind"], predictions.options(content), label=predictions.asks(content), chosen=chosen,
        key=content["key"] if measured else "", shares=content["shares"] if measured else None,
    )  # fmt: skip
    _row(data=data, key=key, on_chosen_change=widgets.heard(key, "chosen", clicked))


def _measured(content: Json, made: Predicted) -> None:
    """What was measured beside the answer."""
    why, grade = predictions.why(content), made.grade
    answer, measured = predictions.said(content, made.answer), predictions.said(content, content["key"])
    if grade.distance is not None:
        near = {"answer": made.answer, "measured": f"{float(content['key']):.0f}", "distance": f"{grade.distance:.0f}"}
        notices.say("info", words("predict.near", **near, why=why))
    elif grade.right:
        notices.say("info", words("predict.right", why=why))
    else:
        notices.say("warning", words("predict.wrong", answer=answer, measured=measured, why=why))
    if shown := content["shows"].get(made.answer):
        st.text(words("predict.shows", name=predictions.misconception(shown)))
    if content["look"] == "words":
        _figure(content, f"measured_{made.name}", made.answer, lambda _: None, measured=True)
    elif content["shares"]:
        texts = predictions.options(content)
        kind = str(content["values"].get("kind", "decoder"))
        shares = [content["shares"].get(option, 0.0) for option in texts]
        st.html(row_html(words("predict.measured"), list(texts.values()), shares, kind))


def _so_far() -> None:
    """How many were right, how sure, and what the answers show again and again."""
    found = predicted.calibration()
    if found is None:
        return
    show.caption(
        words(
            "predict.record", right=round(found.right * found.count), count=found.count, stated=percent(found.stated),
            brier=f"{found.brier:.2f}",
        )
    )  # fmt: skip
    if names := predicted.misconceptions():
        st.text(words("predict.named", names=notices.listed([predictions.misconception(name) for name in names])))


def _ask(content: Json) -> None:
    try:
        predictions.ask_class(content)
    except InvalidInput as error:
        view.keep(prediction_asked=refusal(error))
    else:
        view.keep(prediction_asked=words("class.asked"))


def _again() -> None:
    view.choose(numbers=random.randrange(1, question_choice.LIMIT))
    script_run.touch()
