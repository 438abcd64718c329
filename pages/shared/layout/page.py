"""What every page is made of: its question, formulas with their symbols, steps to try, and a tour."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import streamlit as st

from model.errors import InvalidInput
from pages.shared.layout import tour as layout_tour
from pages.shared.layout.tour import Stop, draw_tour
from pages.shared.models.sentence import Ended
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls

FLUSH = 0.012  # seconds: Streamlit sends what a run has drawn every 10 ms


def head(name: str, lead: str = "lead", tour: tuple[Stop, ...] = (), about: str = "") -> None:
    """The question and the lead of the page `name`, and its tour; `about` is the key of a sentence before the lead."""
    st.title(words(f"{name}.question"), anchor=False)
    if about:
        with st.container(key="about"):
            st.text(words(about))
    with st.container(key="lead"):
        st.text(words(f"{name}.{lead}"))
    if tour:
        draw_tour(tour)
    notices.show()


def fragment(draw: Callable[..., None], *args: object) -> None:
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
        except InvalidInput:
            if not alone:
                raise
            view.rerun()  # the reader's own model may be gone: the whole page says so
        finally:
            drawn = view.view().drawn - others
        if alone:
            layout_tour.highlight()
            view.write_address()

    draw_part()
    if ended:
        raise ended


def tabs(
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

    fragment(chosen)


def flush() -> None:
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
