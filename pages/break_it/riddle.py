"""Find it yourself: a model with one mistake, drawn by a number in the URL, and instruments to hold to it."""

from __future__ import annotations

import random

import streamlit as st

from pages.break_it.instruments import FOUND_WITH, INSTRUMENTS
from pages.break_it.twins import Case, case, mistakes, possible
from pages.shared.layout import page
from pages.shared.models import model_notices
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts import mistake_charts

CASES = 100_000
FIRST = 1
TOLD = "told"  # what stands for a guess where the user asked for the answer


def riddle(current_run: CurrentRun) -> None:
    """The broken model, the instruments, the question and, after it, the answer."""
    pool = possible(current_run.entry)
    number = controls.picked("case", words("break_find.case", number="").strip(), CASES, default=FIRST)
    view.spell_out("case", number)
    truth = random.Random(f"break {number}").choice(pool)
    riddle_case = case(current_run, truth)
    with page.card("figure_find", words("break_find.title", number=number)):
        show.text(words("break_find.hint"))
        looks = {look: words(f"break_looks.{look}") for look in INSTRUMENTS if _there(look, current_run)}
        look = controls.choice("look", words("break_find.look"), looks, next(iter(looks)), hidden=True)
        beside = controls.toggle("beside", words("break_find.beside"))
        show.caption(words(f"break_looks_about.{look}"))
        twins = riddle_case.twins if beside else {"model": riddle_case.twins["broken"]}
        INSTRUMENTS[look](riddle_case, twins)
        model_notices.untrained(current_run)
    with page.card("figure_answer", words("break_find.question")):
        _question(f"{current_run.entry.name}/{number}", pool, riddle_case, look)


def _there(look: str, current_run: CurrentRun) -> bool:
    """Whether an instrument has anything to measure in the model in use."""
    config = current_run.entry.config
    if look in ("padding", "hidden"):
        return bool(config.encoder_layers)
    return look != "output" or config.architecture != "encoder"


def _question(name: str, pool: list[str], riddle_case: Case, look: str) -> None:
    guesses = _guesses(name)
    is_over = bool(guesses) and guesses[-1] in (riddle_case.key, TOLD)
    with st.container(horizontal=True, gap="small", key="guesses"):
        for key in pool:
            st.button(
                words(f"break_titles.{key}"), key=f"guess_{key}", disabled=is_over or key in guesses, on_click=_guess,
                args=(name, key, riddle_case.key),
            )  # fmt: skip
    if is_over:
        _answer(riddle_case, right=guesses[-1] == riddle_case.key)
    elif guesses:
        guess = guesses[-1]
        shows_in = FOUND_WITH[guess]
        sentence = "break_find.wrong_here" if shows_in == look else "break_find.wrong"
        names = {"guess": words(f"break_titles.{guess}"), "look": words(f"break_looks.{shows_in}")}
        notices.say("warning", words(sentence, **names))
        show.text(words(f"break_picture.{guess}"))
    with st.container(horizontal=True, gap="small", key="riddles", vertical_alignment="center"):
        if guesses and not is_over:
            st.button(words("break_find.tell"), key="tell", on_click=_guess, args=(name, TOLD, riddle_case.key))
        st.button(
            words("break_find.another"), key="another", type="primary" if is_over else "secondary", on_click=_another
        )
        right, ended_riddles = _score()
        if ended_riddles:
            st.caption(words("break_find.score", right=right, asked=ended_riddles), width="content")


def _answer(riddle_case: Case, right: bool) -> None:
    title = words(f"break_titles.{riddle_case.key}")
    notices.say("info", words("break_find.right" if right else "break_find.told", answer=title))
    mistake = mistakes()[riddle_case.key]
    show.table(mistake_charts.lines_html(mistake.wrong, mistake.right, section("break_lines")))
    show.text(words(f"break_picture.{riddle_case.key}"))
    show.text(words(f"break_learning.{riddle_case.key}"))
    st.button(
        words("break_find.beside_card"), key="see", type="tertiary", on_click=view.choose,
        kwargs={"show": None, "mistake": riddle_case.key},
    )  # fmt: skip


def _guesses(name: str) -> list[str]:
    """Guesses of this riddle so far."""
    guessed_case, _, names = (view.kept("guesses") or "").rpartition(":")
    return names.split(",") if guessed_case == name and names else []


def _score() -> tuple[int, int]:
    """How many riddles were solved at the first guess, of how many that ended."""
    right, _, count = (view.kept("score") or "0/0").partition("/")
    return int(right), int(count)


def _guess(name: str, key: str, truth: str) -> None:
    guesses = [*_guesses(name), key]
    view.keep(guesses=f"{name}:{','.join(guesses)}")
    names = set((view.kept("solved") or "").splitlines())
    if key in (truth, TOLD) and name not in names:
        right, count = _score()
        view.keep(score=f"{right + (guesses == [truth])}/{count + 1}", solved="\n".join(sorted(names | {name})))


def _another() -> None:
    view.choose(case=random.randrange(1, CASES), look=None, beside=None)
