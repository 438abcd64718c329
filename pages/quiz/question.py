"""One question on the page, the controls that take its answer, and the ways on from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from model.errors import InvalidInput
from model.quiz.answers import figures, half_width, spelled_head
from model.quiz.questions import QUESTIONS
from pages.quiz import callbacks, picture, verdict
from pages.quiz.question_choice import Instance
from pages.shared.classroom import my_class
from pages.shared.layout import page
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import attention_figure, controls, head_picker
from pages.shared.ui.attention_figure import shown_panels
from viz.html.quiz import strip_html

_KEYS = "1234"  # that answer a choice


def question(current_run: CurrentRun, instances: Sequence[Instance]) -> None:
    """The question in view, its answer, and the way to the others."""
    names = [other.name for other in instances]
    name = controls.named("question", words("quiz.named"), names, names[0])
    at = names.index(name)
    instance, topic = instances[at], QUESTIONS[name].topic
    with st.container(border=True, key="figure_question"):
        progress = words("quiz.progress", topic=words(f"quiz_topics.{topic}"), number=at + 1, count=len(names))
        live = f" · {words('quiz.live')}" if QUESTIONS[name].live else ""
        summary = words("quiz.done", count=sum(other.over for other in instances))
        st.caption(f"{progress}{live} · {summary}")
        st.html(strip_html([other.attempt.state for other in instances], at))
        st.header(instance.text("title"), anchor=False)
        with st.container(key="asked"):
            st.text(instance.text("question"))
        if QUESTIONS[name].live:
            model_notices.untrained(current_run)
        _ask(current_run, instance)
        verdict.verdict(instance)
        _helps(instance)
        _class(instance)
    _ways(names, at)


def _class(instance: Instance) -> None:
    """For a teacher: put this question to the class."""
    if (me := my_class.membership()) and me.teacher and not me.ended:
        with st.container(horizontal=True, vertical_alignment="center", key="ask_class_row"):
            st.button(words("class.ask"), key="ask_class", on_click=callbacks.ask_class, args=(instance,))
            if says := view.kept("class_says"):
                st.caption(says)
                view.keep(class_says=None)


def _ask(current_run: CurrentRun, instance: Instance) -> None:
    """The figure and what takes the answer."""
    kind = instance.asked.kind
    if kind == "head":
        _head(current_run, instance)
    elif kind == "steps":
        _steps(instance)
    elif instance.asked.picture is None:
        _answer(instance)
    else:
        with page.columns(2, 3) as (left, right):
            with left:
                _answer(instance)
            with right:
                picture.picture(instance)


def _answer(instance: Instance) -> None:
    if instance.asked.typed:
        _typed(instance)
    else:
        _choice(instance)


def _choice(instance: Instance) -> None:
    with st.container(key="options", gap="small"):
        for key, option in zip(_KEYS, instance.asked.options, strict=False):
            tried = option in instance.attempt.tried
            is_right = instance.over and instance.asked.is_right(option)
            mark = "✓ " if is_right else "✗ " if tried else ""
            st.button(
                mark + notices.plain(instance.option(option)), key=f"option_{option}", width="stretch", shortcut=key,
                disabled=tried or instance.over, type="primary" if is_right else "secondary", on_click=callbacks.answer,
                args=(instance, option, instance.option(option)), wrap=True,
            )  # fmt: skip


def _typed(instance: Instance) -> None:
    attempt = instance.attempt
    key = f"answer_{instance.name}_{attempt.numbers}"
    kind = instance.asked.kind
    label = words("quiz.answer_number") if kind == "number" else words("quiz.answer_shape")
    if instance.over:  # another field: a browser keeps what was last sent in the first one, not what was right
        answer = attempt.answers[-1] if attempt.answers else ""
        with st.container(key=f"typed_{kind}"):
            st.text_input(label, answer, key=f"{key}_over", disabled=True, width=320)
        return
    with (
        st.form("answer", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key=f"typed_{kind}", gap="small"),
    ):
        st.text_input(label, key=key, max_chars=40, autocomplete="off", width=320)
        st.form_submit_button(words("quiz.check"), type="primary", on_click=_take, args=(instance, key))
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
    callbacks.answer(instance, text, half_width(text))


def _head(current_run: CurrentRun, instance: Instance) -> None:
    head_in_view = head_picker.pick_head(current_run, candidates=instance.asked.options)
    own_panels = [panel for panel in shown_panels(current_run.trace) if panel.kind in instance.asked.options]
    attention_figure.attention(own_panels, head_in_view.look("matrix"))
    title = words(
        "quiz_figure.place", kind=picture.kind(head_in_view.kind), layer=head_in_view.layer, head=head_in_view.head
    )
    head = spelled_head(head_in_view.kind, head_in_view.layer, head_in_view.head)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="this"):
        st.button(
            words("quiz.this_head"), key="take_head", type="primary", on_click=callbacks.answer,
            args=(instance, head, title), disabled=instance.over or head in instance.attempt.tried,
        )  # fmt: skip
        st.caption(title, width="content")


def _steps(instance: Instance) -> None:
    with page.columns(2, 3) as (left, right):
        with left:
            step, title = _step(instance)
            st.button(
                words("quiz.check"), key="take_step", type="primary", on_click=callbacks.answer,
                args=(instance, str(step), title), disabled=instance.over or str(step) in instance.attempt.tried,
            )  # fmt: skip
        with right:
            picture.picture(instance, step)


def _step(instance: Instance) -> tuple[float, str]:
    """The step that is chosen, and how it is written."""
    options = list(instance.asked.options)
    if instance.name == "saturate":
        factor = controls.steps("factor", words("quiz_figure.factor"), options, 1, lambda value: f"× {figures(value)}")
        return factor, f"× {figures(factor)}"
    base = controls.steps("base", words("quiz_figure.base"), options, options[0], "{:,}".format)
    return base, f"{base:,}"


def _helps(instance: Instance) -> None:
    """Hint, answer, the page where it can be seen, and the same again."""
    attempt = instance.attempt
    if attempt.hint and not instance.over:
        st.text(instance.text("hint"))
    with st.container(horizontal=True, gap="small", key="helps"):
        if not instance.over:
            if not attempt.hint:
                st.button(words("quiz.hint"), key="hint", on_click=callbacks.hint, args=(instance,))
            if attempt.answers or attempt.hint:
                st.button(words("quiz.tell"), key="tell", on_click=callbacks.tell, args=(instance,))
            return
        name, settings = door(instance)
        if st.button(words("quiz.door", page=words(f"pages.{name}")), key="door"):
            address.open_page(name, **settings)
        if QUESTIONS[instance.name].varies:
            again = partial(callbacks.again, instance)
            st.button(words("quiz.again"), key="again", type="tertiary", on_click=again)


def door(instance: Instance) -> tuple[str, dict[str, object]]:
    """The page where it can be seen, and what is set up there."""
    question_ = QUESTIONS[instance.name]
    return question_.page, {**question_.choices, **instance.asked.door}


def _ways(names: Sequence[str], at: int) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key="ways"):
        last = at + 1 == len(names)
        back, on = names[max(0, at - 1)], names[min(at + 1, len(names) - 1)]
        st.button(words("quiz.back"), key="back", shortcut="P", disabled=not at, on_click=callbacks.go, args=(back,))
        st.button(words("quiz.next"), key="next", shortcut="N", disabled=last, on_click=callbacks.go, args=(on,))
