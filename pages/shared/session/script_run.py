"""The run of the script that draws the page or one fragment: what began it, what it draws."""

from dataclasses import dataclass, field
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from pages.shared.session.state import state


@dataclass
class ScriptRun:
    """The run under way. Callbacks of widgets, which Streamlit calls before a run, prepare it."""

    by_choice: bool = False  # whether the user's own choice began it
    by_link: bool = False  # whether its settings come from a link
    same_controls: bool = False  # whether its controls are those of the run before, so that the browser has them
    outdated: bool = False  # whether what the page says outside of a fragment no longer holds
    drawn: set[str] = field(default_factory=set)  # settings whose control it has drawn, and what it draws only once
    notices: list[tuple[str, dict[str, object]]] = field(default_factory=list)  # shown until the next choice
    highlight: str = ""  # the key of the container to point at when all is drawn


def current() -> ScriptRun:
    """This session's run."""
    return state(ScriptRun)


def touch() -> None:
    """Note that the next run draws the page by this session's own doing, and by no link."""
    current().by_choice = True


def redraw_page() -> None:
    """In a callback: what has changed concerns more than the fragment that is about to be drawn again."""
    touch()
    current().outdated = True


def rerun() -> NoReturn:
    """Draw the whole page again, from the view: its URL may not have reached the browser yet."""
    touch()
    st.rerun()


def heed_clicks() -> None:
    """In the middle of long work: do what the user has asked for meanwhile.

    Symptom: Stop was heard when all the work was done. Cause: a click on a control of a fragment lets the run under way
    finish first. Test: `test_a_cancelled_map_leaves_nothing_running` in `tests/pages/intervene/test_results.py`.
    """
    context = get_script_run_ctx()
    if context and context.script_requests and context.script_requests._state is ScriptRequestType.RERUN:
        rerun()


def own_key(key: str) -> str:
    """A key for what may be drawn several times in one run: a number follows from the second time on."""
    keys = current().drawn
    number = next(number for number in range(1, len(keys) + 2) if f"{key}_{number}" not in keys)
    keys.add(f"{key}_{number}")
    return key if number == 1 else f"{key}_{number}"


def begin_page(same_page: bool) -> bool:
    """Prepare to draw a whole page, `same_page` as before or another; return whether the user's choice began it."""
    run = current()
    by_choice, is_outdated = run.by_choice, run.outdated
    run.by_choice = run.outdated = False
    run.same_controls = by_choice and not is_outdated and same_page
    run.drawn = set()
    return by_choice


def begin_fragment(settings: set[str]) -> None:
    """Prepare to redraw one fragment, whose controls read `settings`; rerun an outdated page as a whole."""
    run = current()
    if run.outdated:
        rerun()
    run.by_choice = run.by_link = False
    run.same_controls = True
    run.drawn -= settings
