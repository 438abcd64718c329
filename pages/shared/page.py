"""What every page is made of: its question, formulas with their symbols, steps to try, and a tour."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st

from model import catalogue
from model.refused import Refused
from pages.shared import components, controls, notices, set_up, view
from pages.shared.reading import Ended
from pages.shared.words import words

FLUSH = 0.012  # seconds: Streamlit sends what a run has drawn every 10 ms


@dataclass(frozen=True)
class Stop:
    """A card of a tour: what it says, the part of the page it points at (a container's key), what it sets up."""

    text: str
    at: str
    choices: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """A step to try: the part of the page that it changes (a container's key), and what it sets up there."""

    at: str
    choices: Mapping[str, object]


def head(name: str, lead: str = "lead", tour: tuple[Stop, ...] = (), about: str = "") -> None:
    """The question and the lead of the page `name`, and its tour; `about` is the key of a sentence before the lead."""
    st.title(words(f"{name}.question"), anchor=False)
    if about:
        with st.container(key="about"):
            st.text(words(about))
    with st.container(key="lead"):
        st.text(words(f"{name}.{lead}"))
    if tour:
        _tour(tour)
    notices.show()


def part(draw: Callable[..., None], *args: object) -> None:
    """Draw a part of the page that its own controls draw again, and nothing else: the rest need not wait for them.

    What stands outside must not depend on what is chosen inside. The session keeps `args`.
    """
    drawn: set[str] | None = None  # its controls
    ended: Ended | None = None

    @st.fragment
    def draw_part() -> None:
        nonlocal drawn, ended
        alone = drawn is not None
        if alone:
            view.again(drawn or set())
        others = set(view.view().drawn)
        try:
            draw(*args)
        except Ended as reason:
            ended = reason
        except Refused:
            if not alone:
                raise
            view.rerun()  # the reader's own model may be gone: the whole page says so
        finally:
            drawn = view.view().drawn - others
        if alone:
            set_up.point()
            view.write_address()

    draw_part()
    if ended:
        raise ended


def views(
    name: str,
    draws: Mapping[str, Callable[..., None]],
    *args: object,
    settings: Callable[..., tuple[object, ...]] | None = None,
) -> None:
    """The views of the page `name`, each drawn by a function of `args`: the first, or the one that is chosen.

    `settings(key, *args)` draws what stands above the view `key`, one container or `st.empty()`, and gives what the
    view is drawn from instead.
    """

    def chosen() -> None:
        titles = {key: words(f"{name}.view_{key}") for key in draws}
        shown = controls.choice("show", words(f"{name}.show"), titles, next(iter(draws)), hidden=True)
        given = settings(shown, *args) if settings else args
        with place(name, shown):
            draws[shown](*given)

    part(chosen)


def below() -> None:
    """From here on a page is below the window, as a rule: what stands above is sent before the rest is begun."""
    time.sleep(FLUSH)


@contextmanager
def place(name: str, shown: str) -> Iterator[None]:
    """One of two places, the other one than before when something else is `shown`: what stood there goes at once.

    A container that only gets another key keeps its elements until the run has ended, and the browser would begin
    by drawing all of them anew.
    """
    before, at = view.view().places.get(name, ("", 0))
    if shown != before:
        at = 1 - at
        view.view().rooms.clear()
    view.view().places[name] = shown, at
    places = [st.container() if each == at else st.empty() for each in range(2)]
    with places[at]:
        yield


def formula(latex: str, symbols: Mapping[str, str]) -> None:
    """A formula in the paper's symbols; `symbols` maps each, as LaTeX, to the key of its explanation."""
    st.latex(latex)
    st.caption(" · ".join(f"${symbol}$ {words(key)}" for symbol, key in symbols.items()))


def try_this(steps: Mapping[str, Step | Mapping[str, object]]) -> None:
    """Concrete steps, each a click: key of its words -> Step, or its choices alone where the page need not move."""
    with trying():
        for number, (key, step) in enumerate(steps.items()):
            args = ("try", step.choices, step.at) if isinstance(step, Step) else ("try", step)
            st.button(words(key), key=f"try_{number}", on_click=set_up.set_up, args=args)


@contextmanager
def trying() -> Iterator[None]:
    """The place of the steps to try, and after one the way back to what was before."""
    with st.container(key="try_this", gap="small"):
        st.subheader(words("page.try_this"), anchor=False)
        with st.container(horizontal=True, gap="small", key="steps"):
            yield
            if set_up.moved("try"):
                st.button(
                    words("page.put_back"), key="put_back", type="tertiary", on_click=set_up.put_back, args=("try",)
                )


def _tour(stops: tuple[Stop, ...]) -> None:
    """A card that stays in view while it leads over the page; 0 is no tour."""
    number = controls.picked("tour", words("page.tour"), len(stops) + 1, default=0)
    if not number:
        st.button(words("page.tour"), key="tour_start", type="tertiary", on_click=_go, args=(1, stops))
        return
    stop = stops[number - 1]
    with st.container(key="tour", border=True):
        st.caption(words("page.tour_of", number=number, count=len(stops)))
        st.text(words(stop.text))
        with st.container(horizontal=True, gap="small", key="tour_steps"):
            first = number == 1
            st.button(words("page.back"), key="tour_back", disabled=first, on_click=_go, args=(number - 1, stops))
            if number < len(stops):
                st.button(words("page.next"), key="tour_next", type="primary", on_click=_go, args=(number + 1, stops))
            st.button(words("page.end"), key="tour_end", type="tertiary", on_click=_end)
    components.outline(stop.at)
    if view.view().linked:
        view.view().pointed = stop.at


def _go(number: int, stops: tuple[Stop, ...]) -> None:
    stop = stops[number - 1]
    # what it says is true of a model that has learnt
    learnt = {"checkpoint": None} if isinstance(view.entry(), catalogue.Untrained) else {}
    set_up.set_up("tour", {"tour": number, **learnt, **stop.choices}, stop.at)


def _end() -> None:
    set_up.put_back("tour")
    view.choose(tour=None)  # a tour that a link began has nothing before it
