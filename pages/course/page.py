"""The course: ten steps with a text, a figure of the live model and a question, then an explanation by the user."""

from dataclasses import dataclass

import streamlit as st

from model.course import head, tokens
from model.course.question import Question
from pages.course import before_after, explain, progress, question
from pages.course.steps import DETAILS_OF_END, END, STEPS
from pages.shared.layout import page, sidebar
from pages.shared.models import model_notices, sentence_notices
from pages.shared.models.sentence import CurrentRun, read
from pages.shared.models.warmup import spinner
from pages.shared.session import address, view
from pages.shared.session.state import state
from pages.shared.text.words import words
from pages.shared.ui import components, controls, marked_terms, show


@dataclass
class Shown:
    """The step that was drawn last."""

    step: str = ""


FRAMED = ("head", "heads", END)  # their figure has a frame of its own
NAMES = (*STEPS, END)


def course(current_run: CurrentRun) -> None:
    """The step in view, between the list of steps and the way on."""
    steps = progress.solved()
    titles = {name: f"{'✓' if name in steps else number} {_short(name)}" for number, name in enumerate(NAMES, 1)}
    name = controls.choice("step", words("course.steps"), titles, NAMES[0], hidden=True)
    show.header(words(f"course_{name}.title"))
    with st.container(key="course_step"):  # three parts, which `placeholders.css` lays out
        with st.container():
            _text(current_run, name)
        with st.container(), st.container(border=name not in FRAMED, key="figure_course"):
            step_question = STEPS[name].figure(current_run) if name in STEPS else None
            if step_question is None:
                explain.figure(current_run)
        with st.container():
            _do(name, step_question)
            if step_question is None:
                explain.form(current_run)
            else:
                question.ask(name, step_question)
            if name == "learning":
                show.text(words("course_learning.own", page=words("pages.train")))
    _ways(name, steps)
    if name in (NAMES[0], END):
        before_after.offer("after" if name == END else "before")
    if (last_step := state(Shown)).step not in ("", name):
        components.point_at("head_line")  # the button for the next step is below the figure
    last_step.step = name


def _short(name: str) -> str:
    return words(f"course_{name}.short")


def _text(current_run: CurrentRun, name: str) -> None:
    """The text of a step."""
    config, output = current_run.entry.config, current_run.trace.output_tokens
    layer, number = head.of_card(current_run.entry.card, current_run.entry.config)
    values = {
        "layer": layer, "head": number,
        "heads": config.heads, "layers": config.decoder_layers, "d_model": config.d_model,
        "d_k": config.d_model // config.heads, "target": f"{config.target_vocabulary:,}",
        "word": output[tokens.longest(output)],
    }  # fmt: skip
    with st.container(key="course_text", gap="small"):
        marked_terms.prose(words(f"course_{name}.text"), f"course-{name}", **values)


def _do(name: str, step_question: Question | None) -> None:
    """Say what to do with the figure."""
    with st.container(key="course_do"):
        do = words(f"course_{name}.do", **(question.plain_values(step_question) if step_question else {}))
        st.markdown(words("course.do", text=do))


def _ways(name: str, steps: frozenset[str]) -> None:
    """Back, on, and to the page with the details; at the end to the questions that are still open."""
    at = NAMES.index(name)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="ways"):
        back = NAMES[max(0, at - 1)]
        st.button(words("course.back"), key="back", disabled=not at, on_click=_go, args=(back,))
        details, settings = (STEPS[name].page, STEPS[name].settings) if name in STEPS else DETAILS_OF_END
        if st.button(words("course.details", page=words(f"pages.{details}")), key="details", type="tertiary"):
            address.open_page(details, **settings)
        if name in STEPS:
            st.button(
                words("course.next"),
                key="next",
                type="primary" if name in steps else "secondary",
                on_click=_go,
                args=(NAMES[at + 1],),
            )
        else:
            st.button(words("course.again"), key="again", type="tertiary", on_click=_start_over)
    show.caption(words("course.kept", done=len(steps & set(STEPS)), count=len(STEPS)))
    if name == END:
        _open(steps)
        sidebar.next_page()


def _open(steps: frozenset[str]) -> None:
    """The steps whose question is not answered yet, each a click away."""
    left = [name for name in STEPS if name not in steps]
    if not left:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="open_steps", gap="small"):
        st.caption(words("course.open"), width="content")
        for name in left:
            label = f"{NAMES.index(name) + 1} {_short(name)}"
            st.button(label, key=f"open_{name}", type="tertiary", on_click=_go, args=(name,))


def _go(name: str) -> None:
    """To another step, whose figure begins at its own settings."""
    view.choose(step=name, **dict.fromkeys(("token", "factor", "without", "read", "forced", "moment", "compared")))


def _start_over() -> None:
    progress.start_over()
    _go(NAMES[0])


page.head("course")
run_in_view = read()
if run_in_view.entry.config.architecture == "encoder-decoder":
    model_notices.untrained(run_in_view)
    with spinner():
        page.fragment(course, run_in_view)
else:
    show.text(words("course.needs"))
    sentence_notices.other_checkpoints(run_in_view.entry)
    sidebar.next_page()
