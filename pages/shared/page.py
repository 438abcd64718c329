"""What every page is made of: its question, formulas with their symbols, steps to try, and a tour."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from pages.shared import components, controls, notices, view
from pages.shared.words import words


@dataclass(frozen=True)
class Stop:
    """A card of a tour: what it says, the part of the page it points at (a container's key), what it sets up."""

    text: str
    at: str
    choices: Mapping[str, object] = field(default_factory=dict)


def head(name: str, lead: str = "lead", tour: tuple[Stop, ...] = ()) -> None:
    """The question and the lead of the page `name`, and its tour."""
    st.title(words(f"{name}.question"), anchor=False)
    with st.container(key="lead"):
        st.text(words(f"{name}.{lead}"))
    if tour:
        _tour(tour)
    notices.show()


def formula(latex: str, symbols: Mapping[str, str]) -> None:
    """A formula in the paper's symbols; `symbols` maps each, as LaTeX, to the key of its explanation."""
    st.latex(latex)
    st.caption(" · ".join(f"${symbol}$ {words(key)}" for symbol, key in symbols.items()))


def try_this(steps: Mapping[str, Mapping[str, object]]) -> None:
    """Concrete steps, each a click that sets the page up: key of its words -> choices, None for a default."""
    with st.container(key="try_this", gap="small"):
        st.subheader(words("page.try_this"), anchor=False)
        with st.container(horizontal=True, gap="small", key="steps"):
            for number, (key, choices) in enumerate(steps.items()):
                st.button(words(key), key=f"try_{number}", on_click=view.choose, kwargs=dict(choices))


def _tour(stops: tuple[Stop, ...]) -> None:
    """A card that stays in view while it leads over the page; 0 is no tour."""
    number = controls.picked("tour", words("page.tour"), len(stops) + 1, default=0)
    if not number:
        st.button(words("page.tour"), key="tour_start", type="tertiary", **_to(1, stops))
        return
    stop = stops[number - 1]
    with st.container(key="tour", border=True):
        st.caption(words("page.tour_of", number=number, count=len(stops)))
        st.text(words(stop.text))
        with st.container(horizontal=True, gap="small", key="tour_steps"):
            st.button(words("page.back"), key="tour_back", disabled=number == 1, **_to(number - 1, stops))
            if number < len(stops):
                st.button(words("page.next"), key="tour_next", type="primary", **_to(number + 1, stops))
            st.button(words("page.end"), key="tour_end", type="tertiary", **_to(0, stops))
    components.point_at(stop.at)


def _to(number: int, stops: tuple[Stop, ...]) -> dict:
    choices = dict(stops[number - 1].choices) if number else {}
    return {"on_click": view.choose, "kwargs": {"tour": number or None, **choices}}
