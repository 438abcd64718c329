"""One question on the page: what it shows, where the answer goes, and what is said to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from model.analysis.softmax import softmax
from model.errors import InvalidInput
from model.quiz.answers import figures, place
from model.quiz.questions import QUESTIONS
from pages.quiz import session
from pages.quiz.session import Instance
from pages.shared.models import notes
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import attention_figure, controls, head_picker
from pages.shared.ui.matrices import matrices, matrix_files
from pages.shared.ui.panels import panels
from viz.data import Matrix
from viz.html.quiz import row_html, strip_html

_KEYS = "1234"  # that answer a choice


def question(current_run: CurrentRun, asked: Sequence[Instance]) -> None:
    """The question in view, its answer, and the way to the others."""
    names = [one.name for one in asked]
    name = controls.named("question", words("quiz.named"), names, names[0])
    at = names.index(name)
    instance, topic = asked[at], QUESTIONS[name].topic
    with st.container(border=True, key="figure_question"):
        progress = words("quiz.progress", topic=words(f"quiz_topics.{topic}"), number=at + 1, count=len(names))
        live = f" · {words('quiz.live')}" if QUESTIONS[name].live else ""
        done = words("quiz.done", count=sum(one.over for one in asked))
        st.caption(f"{progress}{live} · {done}")
        st.html(strip_html([one.record.state for one in asked], at))
        st.header(instance.text("title"), anchor=False)
        with st.container(key="asked"):
            st.text(instance.text("question"))
        if QUESTIONS[name].live:
            notes.untrained(current_run)
        _ask(current_run, instance)
        _said(instance)
        _helps(instance)
    _ways(names, at)


def _ask(current_run: CurrentRun, instance: Instance) -> None:
    """The figure and what takes the answer."""
    kind = instance.asked.kind
    if kind == "head":
        _head(current_run, instance)
    elif kind == "steps":
        _steps(instance)
    else:
        _picture(instance)
        if kind == "choice":
            _choice(instance)
        else:
            _typed(instance)


def _choice(instance: Instance) -> None:
    with st.container(key="options", gap="small"):
        for key, option in zip(_KEYS, instance.asked.options, strict=False):
            tried = option in instance.record.tried
            shown = instance.over and instance.asked.is_right(option)
            mark = "✓ " if shown else "✗ " if tried else ""
            st.button(
                mark + notices.plain(instance.option(option)), key=f"option_{option}", width="stretch", shortcut=key,
                disabled=tried or instance.over, type="primary" if shown else "secondary", on_click=session.answer,
                args=(instance, option, instance.option(option)), wrap=True,
            )  # fmt: skip


def _typed(instance: Instance) -> None:
    record = instance.record
    key = f"answer_{instance.name}_{record.numbers}"
    kind = instance.asked.kind
    label = words("quiz.answer_number") if kind == "number" else words("quiz.answer_shape")
    with (
        st.form("answer", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key="typed", gap="small"),
    ):
        st.text_input(label, key=key, max_chars=40, autocomplete="off", disabled=instance.over, width=320)
        st.form_submit_button(
            words("quiz.check"), type="primary", disabled=instance.over, on_click=_take, args=(instance, key)
        )
    if problem := view.kept("problem"):
        notices.say("warning", problem)


def _take(instance: Instance, key: str) -> None:
    """Read what was typed; what cannot be read is said, and does not count."""
    text = str(widgets.sent(key)).strip()
    if not text:
        view.keep(problem=words("quiz.empty"))
        return
    try:
        instance.asked.is_right(text)
    except InvalidInput as problem:
        view.keep(problem=refusal(problem))
        return
    session.answer(instance, text, text)


def _head(current_run: CurrentRun, instance: Instance) -> None:
    chosen = head_picker.place(current_run, wanted=instance.asked.options)
    shown = [panel for panel in panels(current_run.trace) if panel.kind in instance.asked.options]
    attention_figure.attention(shown, view_="matrix", kind=chosen.kind, layer=chosen.layer, head=chosen.head)
    told = words("quiz_figure.place", kind=_kind(chosen.kind), layer=chosen.layer, head=chosen.head)
    given = place(chosen.kind, chosen.layer, chosen.head)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="this"):
        st.button(
            words("quiz.this_head"), key="take_head", type="primary", on_click=session.answer,
            args=(instance, given, told), disabled=instance.over or given in instance.record.tried,
        )  # fmt: skip
        st.caption(told, width="content")


def _steps(instance: Instance) -> None:
    options = list(instance.asked.options)
    if instance.name == "saturate":
        chosen = controls.steps("factor", words("quiz_figure.factor"), options, 1, lambda value: f"× {figures(value)}")
        told = f"× {figures(chosen)}"
    else:
        chosen = controls.steps("base", words("quiz_figure.base"), options, options[0], "{:,}".format)
        told = f"{chosen:,}"
    _picture(instance, chosen)
    with st.container(key="this"):
        st.button(
            words("quiz.check"), key="take_step", type="primary", on_click=session.answer,
            args=(instance, str(chosen), told), disabled=instance.over or str(chosen) in instance.record.tried,
        )  # fmt: skip


def _picture(instance: Instance, chosen: float = 1) -> None:
    """What the question shows."""
    picture = instance.asked.picture
    if picture is None:
        return
    values = picture.values
    if picture.kind == "row":
        tokens = [*picture.columns, words("quiz_figure.rest")]
        st.html(row_html(words("quiz_figure.weight"), tokens, values.tolist(), picture.colour))
    elif picture.kind == "bars":
        weights = softmax(values * chosen).tolist()
        st.html(row_html(words("quiz_figure.bars"), picture.columns, weights, picture.colour))
    else:
        shown = [_matrix(instance, chosen)]
        matrices(f"quiz_{picture.kind}", shown)
        matrix_files(f"quiz-{picture.kind}", shown)


def _matrix(instance: Instance, chosen: float) -> Matrix:
    picture = instance.asked.picture
    assert picture is not None
    axes = (words("quiz_figure.queries"), words("quiz_figure.keys"))
    if picture.kind == "mask":
        title = words("quiz_figure.mask")
        return Matrix("mask", title, picture.values, picture.rows, picture.columns, *axes, scale="mask")
    if picture.kind == "weights":
        values = instance.asked.values
        place_ = words("quiz_figure.place", kind=_kind(picture.colour), layer=values["layer"], head=values["head"])
        return Matrix(
            "weights", place_, picture.values, picture.rows, picture.columns, *axes, scale="weight",
            colour=picture.colour, decimals=2,
        )  # fmt: skip
    two = picture.values[list(instance.asked.options).index(int(chosen))]  # (2, d_model)
    rows = tuple(words("quiz_figure.position", m=m) for m in picture.rows)
    return Matrix(
        "positions", words("quiz_figure.rows", base=f"{int(chosen):,}"), np.vstack([two, two[1] - two[0]]),
        (*rows, words("quiz_figure.difference")), tuple(map(str, range(two.shape[1]))), "",
        words("quiz_figure.dimension"), scale="signed", limit=1.0,
    )  # fmt: skip


def _kind(kind: str) -> str:
    return words(f"quiz_figure.kind_{kind}")


def _said(instance: Instance) -> None:
    """What there is to say to the last answer."""
    record = instance.record
    if record.ended:
        _over(instance)
    elif record.answers:
        notices.say("warning", words("quiz.wrong", answer=record.answers[-1], why=_wrong(instance)))


def _wrong(instance: Instance) -> str:
    given = instance.record.tried[-1]
    found = instance.asked.measured.get(given, "")
    part = f"wrong_{given}"
    return instance.text(part if instance.has(part) else "wrong", found=found)


def _over(instance: Instance) -> None:
    record, asked = instance.record, instance.asked
    given = record.tried[-1] if record.ended == "right" else asked.solution()
    found = asked.measured.get(given, "")
    part = f"why_{asked.key}"
    why = instance.text(part if instance.has(part) else "why", found=found)
    if record.ended == "right":
        said = words("quiz.first", why=why) if record.first else words("quiz.right", why=why)
    else:
        said = words("quiz.told", answer=_solution(instance), why=why)
    notices.say("info", said)
    if len(record.answers) > 1:
        st.text(words("quiz.tried", answers=words("quiz.arrow").join(record.answers)))


def _solution(instance: Instance) -> str:
    """The answer as it is said to the user."""
    asked, solution = instance.asked, instance.asked.solution()
    if asked.kind == "choice":
        solution = instance.option(solution)
    elif asked.kind == "head":
        kind, layer, head = solution.split("/")
        solution = words("quiz_figure.place", kind=_kind(kind), layer=layer, head=head)
    elif asked.kind == "steps":
        solution = f"{asked.key:,}"
    return solution


def _helps(instance: Instance) -> None:
    """Hint, answer, the page where it can be seen, and the same again."""
    record = instance.record
    if record.hint and not instance.over:
        st.text(instance.text("hint"))
    with st.container(horizontal=True, gap="small", key="helps"):
        if not instance.over:
            if not record.hint:
                st.button(words("quiz.hint"), key="hint", on_click=session.hint, args=(instance,))
            if record.answers or record.hint:
                st.button(words("quiz.tell"), key="tell", on_click=session.tell, args=(instance,))
            return
        page, settings = door(instance)
        if st.button(words("quiz.door", page=words(f"pages.{page}")), key="door"):
            address.open_page(page, **settings)
        if QUESTIONS[instance.name].varies:
            again = partial(session.again, instance.name)
            st.button(words("quiz.again"), key="again", type="tertiary", on_click=again)


def door(instance: Instance) -> tuple[str, dict[str, object]]:
    """The page where it can be seen, and what is set up there."""
    known = QUESTIONS[instance.name]
    return known.page, {**known.choices, **instance.asked.door}


def _ways(names: Sequence[str], at: int) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key="ways"):
        last = at + 1 == len(names)
        back, on = names[max(0, at - 1)], names[min(at + 1, len(names) - 1)]
        st.button(words("quiz.back"), key="back", shortcut="P", disabled=not at, on_click=session.go, args=(back,))
        st.button(words("quiz.next"), key="next", shortcut="N", disabled=last, on_click=session.go, args=(on,))
