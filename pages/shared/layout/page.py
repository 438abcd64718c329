"""Building blocks of every page: heading, fragments, tabs, formulas with their symbols."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.layout import in_browser
from pages.shared.layout.tour import Stop, draw_tour, highlight, offer_tour
from pages.shared.load import fair_lock, fair_use
from pages.shared.models.sentence import Ended
from pages.shared.session import address, page_list, script_run, user, view
from pages.shared.session.state import state
from pages.shared.text import notices, untranslated
from pages.shared.text.words import words
from pages.shared.ui import components, controls, reserved_space, show
from pages.shared.ui.downloads import drawn, file_menu, origin
from pages.shared.ui.downloads.file_menu import File

FLUSH = 0.012  # seconds: Streamlit sends what a run has drawn every 10 ms


def head(name: str, lead: str = "", tour: tuple[Stop, ...] = (), question: str = "") -> None:
    """The question of the page `name`, its tour, the link to the view, and the lead, its own ones unless given.

    Where the reader's browser computes, the page ends here (`in_browser`).
    """
    question = question or words(f"{name}.question")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head_line"):
        st.title(question, anchor=False, width="stretch")
        stop = offer_tour(tour) if tour and not in_browser.is_shown() else 0
        _take(name, question)
        components.copy_link()
    with st.container(key="lead"):
        show.terms(lead or words(f"{name}.lead"), name)
    if origin := drawn.printed():
        components.origin(origin)
    with st.container():  # it stays when the tour ends, see `notices.show`
        if stop:
            draw_tour(tour, stop)
    notices.show()
    in_browser.show_instead(name)


def _take(name: str, question: str) -> None:
    """The menu that saves the page and prints it."""
    drawn.title(question)
    label, beginning = words("take.page"), origin.file_beginning(origin.of_view({})["model"])
    has_files = not my_class.sees_pictures()  # figures in a file can be touched
    is_saved = has_files and page_list.pages()[name].saves != "nothing" and not in_browser.is_shown()
    files = [File("page_html", label, f"{beginning}-{name}.html", "text/html", drawn.page())] if is_saved else []
    if has_files and (live := drawn.live_page()):
        files.append(File("page_live", words("take.live"), f"{beginning}-live-{name}.html", "text/html", live))
    file_menu.page_menu(files, drawn.live_address() if has_files else "")


def fragment(draw: Callable[..., None], *args: object) -> None:
    """Draw a part of the page (`st.fragment`) that its own controls redraw without the rest of the page.

    Redrawing a fragment takes about half the time of the whole page. Nothing outside of it may depend on a choice made
    inside. Streamlit keeps `args` for the session, so pass a `CurrentRun` (sentence and model), not a trace.
    A choice that the whole page depends on, or after which a notice no longer holds, reruns the page:
    see `script_run.begin_fragment`.

    Symptom: links outside of the fragment hold the URL of before the last choice. Cause: only the fragment was redrawn.
    `address.read_settings` therefore keeps the view when such a link is followed. Symptom: an empty page after quick
    choices. Cause: see `minCachedMessageSize` in `.streamlit/config.toml`.
    Tests: `tests/pages/shared/test_browser_fragments.py`, `tests/pages/shared/test_browser_quick.py`.
    """
    own_controls: set[str] | None = None  # its controls
    end: Ended | None = None
    own = drawn.Section()

    @st.fragment
    def draw_part() -> None:
        with fair_lock.hold(view.page_name, user.share()), catalogue.one_look():
            draw_now()

    def draw_now() -> None:
        nonlocal own_controls, end
        alone = own_controls is not None
        if alone:
            script_run.begin_fragment(own_controls or set())
        others = set(script_run.current().drawn)
        try:
            if alone:
                fair_use.take(fair_use.RUNS)
            with drawn.section(own), untranslated.noted() as english:
                draw(*args)
        except Ended as reason:
            end = reason
        except InvalidInput:
            if not alone:
                raise
            script_run.rerun()  # the whole page says so: the user's own model is gone, or the minute's runs are used up
        finally:
            own_controls = script_run.current().drawn - others
        components.english_texts(english)
        if alone:
            highlight()
            address.write_address()

    draw_part()
    if end:
        raise end


def tabs(
    name: str,
    draws: Mapping[str, Callable[..., None]],
    *args: object,
    settings: Callable[..., tuple[object, ...]] | None = None,
    own: Mapping[str, str] | None = None,
) -> None:
    """Tabs of the page `name`: a control to choose one, and the chosen one. Only that one is computed.

    `draws` maps the key of each tab to the function that draws it from `args`; the first is the default.
    `settings(key, *args)`, if given, draws the controls above the tab in one container (or `st.empty()`) and returns
    the arguments for the tab in place of `args`. `own` has the settings of each tab, for links without a tab.
    """

    def chosen() -> None:
        open_meant_tab(own or {}, next(iter(draws)))
        titles = {key: words(f"{name}.view_{key}") for key in draws}
        tab = controls.choice("show", words(f"{name}.show"), titles, next(iter(draws)), hidden=True)
        arguments = settings(tab, *args) if settings else args
        with tab_container(name, tab):
            draws[tab](*arguments)

    fragment(chosen)


def land_on(key: str, setting: str) -> None:
    """Bring the container `key`, far below the top, into view where a link names what is chosen there."""
    run = script_run.current()
    if run.by_link and view.setting(setting) is not None and not run.highlight:
        components.point_at(key)


def open_meant_tab(own: Mapping[str, str], default: str) -> None:
    """Open the tab that a link without `show` means: links that are older than the tabs of a page name settings only.

    `own` has the settings of each tab, with spaces between them. When the user goes to the default tab, the URL names
    it if it also holds a setting of another tab, so that the link does not open that one.
    """
    meant = next(
        (tab for tab, keys in own.items() if any(view.chosen(key) is not None for key in keys.split())), default
    )
    if meant != default:
        view.spell_out("show", meant if script_run.current().by_link else default)


def flush() -> None:
    """Let Streamlit send what is above, by waiting for its next message; call it where the window usually ends.

    Nobody waits while other users stand in line.
    """
    if not fair_lock.others_wait():
        time.sleep(FLUSH)


@dataclass
class ShownTabs:
    """Where the tabs of the pages stand."""

    by_page: dict[str, tuple[str, int]] = field(default_factory=dict)  # the tab shown, and which of two containers


@contextmanager
def tab_container(name: str, tab: str) -> Iterator[None]:
    """One of two containers; another one than before when `tab` changes. The old one is emptied at once.

    Symptom with a single container: after a change of tab the browser first draws the old tab again. Cause: Streamlit
    keeps the elements of a container until the run has ended, even if the container gets another key.
    Test: `test_another_view_is_all_that_is_drawn_and_moves_nothing` in `tests/pages/position/test_browser.py`.
    """
    shown = state(ShownTabs).by_page
    before, at = shown.get(name, ("", 0))
    if tab != before:
        at = 1 - at
        reserved_space.forget()
    shown[name] = tab, at
    containers = [st.container() if each == at else st.empty() for each in range(2)]
    with containers[at]:
        yield


@contextmanager
def columns(left: int, right: int) -> Iterator[Sequence[DeltaGenerator]]:
    """Controls on the left and their result on the right; on a phone the result stands above."""
    with st.container(key="two_columns"):
        yield st.columns([left, right], gap="small")


@contextmanager
def card(key: str, title: str, caption: str = "") -> Iterator[None]:
    """A part of the page in a frame, with its heading; tours and steps to try point at its `key`."""
    with st.container(border=True, key=key):
        show.header(title)
        if caption:
            show.caption(caption)
        yield


formula = show.formula
