"""Tours and steps to try: each applies a preset to the page, highlights a part of it, and can be undone."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st

from model.checkpoint import catalogue
from model.checkpoint.recording import Recording
from pages.shared.models import current
from pages.shared.session import script_run, view
from pages.shared.text.words import words
from pages.shared.ui import components, controls

_PLACE = dict.fromkeys(("attention_kind", "layer", "head"))  # another model starts at its own


def apply_preset(by: str, choices: Mapping[str, object], at: str = "") -> None:
    """Choose for the user, note what was chosen before `by`, and point at the container of the key `at`."""
    new = _PLACE | dict(choices) if "checkpoint" in choices else choices
    before = view.view().before_presets.setdefault((view.view().page, by), {})
    for key in new:
        before.setdefault(key, view.chosen(key))  # the first note holds: before all steps
    view.choose(**new)
    script_run.current().highlight = at


def moved(by: str) -> bool:
    """Whether anything that `by` chose on this page still differs from what was before."""
    return any(view.chosen(key) != value for key, value in _noted(by).items())


def restore(by: str) -> None:
    """Choose again what was before `by`."""
    before = _noted(by)
    view.view().before_presets.pop((view.view().page, by), None)
    view.choose(**before)


def highlight() -> None:
    """Bring what this run is to point at into view, in this run only."""
    run = script_run.current()
    at, run.highlight = run.highlight, ""
    if at:
        components.outline(at)
        components.point_at(at)


def _noted(by: str) -> dict[str, object]:
    return view.view().before_presets.get((view.view().page, by), {})


@dataclass(frozen=True)
class Stop:
    """A card of a tour: what it says, the part of the page it points at (a container's key), what it sets up."""

    text: str
    at: str
    choices: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """A step to try: the part of the page that it changes (a container's key), and what it sets up there.

    `values` are those of the placeholders in its words.
    """

    at: str
    choices: Mapping[str, object]
    values: Mapping[str, object] = field(default_factory=dict)


def try_this(steps: Mapping[str, Step | Mapping[str, object]]) -> None:
    """Concrete steps, each a click: key of its words -> Step, or its choices alone where the page need not move."""
    with trying():
        for number, (key, step) in enumerate(steps.items()):
            step = step if isinstance(step, Step) else Step("", step)
            args = ("try", step.choices, step.at)
            st.button(words(key, **step.values), key=f"try_{number}", on_click=apply_preset, args=args)


@contextmanager
def trying() -> Iterator[None]:
    """The place of the steps to try, and after one the way back to what was before."""
    with st.container(key="try_this", gap="small"):
        st.subheader(words("page.try_this"), anchor=False)
        with st.container(horizontal=True, gap="small", key="steps"):
            yield
            if moved("try"):
                st.button(words("page.put_back"), key="put_back", type="tertiary", on_click=restore, args=("try",))


def offer_tour(stops: tuple[Stop, ...]) -> int:
    """The button that starts a tour, and the number of the stop that it is at; 0 is no tour."""
    number = controls.picked("tour", words("page.tour"), len(stops) + 1, default=0)
    if not number:
        st.button(words("page.tour"), key="tour_start", type="tertiary", on_click=_go, args=(1, stops))
    return number


def draw_tour(stops: tuple[Stop, ...], number: int) -> None:
    """A card that stays in view while it leads over the page."""
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
    if (run := script_run.current()).by_link:
        run.highlight = stop.at


def _go(number: int, stops: tuple[Stop, ...]) -> None:
    stop = stops[number - 1]
    # what it says is true of a model that has learnt
    trained_model = (
        {"checkpoint": current.first_name()} if isinstance(current.entry(), (catalogue.Untrained, Recording)) else {}
    )
    apply_preset("tour", {"tour": number, **trained_model, **stop.choices}, stop.at)


def _end() -> None:
    restore("tour")
    view.choose(tour=None)  # a tour that a link began has nothing before it
