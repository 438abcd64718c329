"""What the user chose: model, sentence, head, and each page's own settings. The URL mirrors it.

This is the only module that touches `st.session_state` and `st.query_params`. Streamlit drops the state of a widget
when the user leaves its page. Therefore the choices are kept in a `View`, and each widget gets its value from there.
Tests of quick choices and of fragments: `tests/pages/shared/test_browser_quick.py`, `test_browser_fragments.py`.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.tokenizer import CHARACTER_LIMIT
from pages.shared.session import parameters

LANGUAGES = {"en": "English", "zh": "中文"}
TEXT = ("language", "checkpoint", "sentence", "attention_kind")
NUMBERS = ("layer", "head", "seed")
KEYS = (*TEXT, *NUMBERS)
_WHOLE = ("language", "checkpoint", "sentence", "seed")  # the whole page depends on them
_DIGITS = 6  # of a number in the URL
SETTING_LIMIT = 400  # characters of one setting in the URL
NAMED = 40  # characters of something asked for in vain
LOST = "lost"  # in the URL: an address that named no page
_spoken: ContextVar[str] = ContextVar("language", default="")  # see `speaking`
PIN = "pin"  # setting: the word or cell that is locked in the attention of one sentence


@dataclass
class View:
    """The user's choices; None means the default of the model in use."""

    language: str | None = None
    checkpoint: str | None = None
    sentence: str | None = None
    attention_kind: str | None = None
    layer: int | None = None
    head: int | None = None
    seed: int | None = None  # of an untrained model's weights
    notices: list[tuple[str, dict[str, object]]] = field(default_factory=list)  # said until the user does something
    bare: bool | None = None  # whether the session began with a URL that says nothing
    written: dict[str, str] = field(default_factory=dict)  # what this session last put into the URL
    behind: list[dict[str, str]] = field(default_factory=list)  # URLs before it, which the browser may still send
    touched: bool = False  # whether the user's own choice started this run
    steady: bool = False  # whether this run's controls are those of the run before, so that the browser has them
    standing: dict[str, object] = field(default_factory=dict)  # by control, what it offered when it was last drawn
    stale: bool = False  # whether what was said on the page no longer holds
    came: dict[str, object] = field(default_factory=dict)  # what all pages share, as it was before this run's URL
    offered: dict[str, dict[str, str]] = field(default_factory=dict)  # by page, the URL in this page's own links
    page: str = ""
    left: tuple[str, dict[str, str], dict[str, object]] | None = None  # by a door: page, its new URL, choices before
    linked: bool = False  # whether this run's settings come from a link
    settings: dict[str, dict[str, str]] = field(default_factory=dict)  # by page, spelled as in its URL
    kept: dict[str, dict[str, str]] = field(default_factory=dict)  # by page, what no URL carries
    drawn: set[str] = field(default_factory=set)  # settings whose control this run has drawn, and what it draws once
    places: dict[str, tuple[str, int]] = field(default_factory=dict)  # by page, the view that stands and its place
    rooms: dict[str, str] = field(default_factory=dict)  # by figure on this page, the room that it was first given
    before: dict[tuple[str, str], dict[str, object]] = field(default_factory=dict)  # by page and by what set it up
    pointed: str = ""  # the container that the next run points at
    name: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # of this session, for whom no cookie names
    uploads: int = 0  # files that this session has sent; each has a widget of its own, so that none stays behind
    uploaded: InvalidInput | str = ""  # what came of the last one: a refusal, or the name of the model


def view() -> View:
    """This session's view."""
    if _spoken.get():
        raise RuntimeError("there is no session here: what is needed of it must be looked up before")
    if "_view" not in st.session_state:
        st.session_state["_view"] = View()  # a page may have a control named view
    return st.session_state["_view"]


def language() -> str:
    """The user's choice, or what their browser asks for first; outside of a session what `speaking` says."""
    return _spoken.get() or view().language or preferred(st.context.locale)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Texts in this language, where no session is at hand: in a route of ours."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def preferred(locale: str | None) -> str:
    """The language for a browser that asks for `locale`, or for a list of them in the order of preference."""
    return "zh" if (locale or "").lower().startswith("zh") else "en"


def read_address() -> None:
    """Take over what the URL says about `KEYS`, if a link or the browser's Back wrote it and not this session.

    Symptom: the second of two quick choices was undone. Cause: its rerun brings the URL of before the first choice,
    because the new URL is still on its way to the browser. Therefore `behind` keeps the URLs that this session has
    replaced; one of them counts as a link only after Back or Forward (`test_a_quick_second_choice_is_not_lost`).
    """
    current, url = view(), st.query_params.to_dict()
    current.came = _shared()
    if url == current.written:
        current.behind.clear()
    elif url in current.behind and not _goes_back():
        current.touched = True
    if current.bare is None:
        current.bare = all(key == LOST or parameters.is_tracking(key) for key in url)
    asked = {key: text for key, text in url.items() if key in KEYS}
    if current.bare and not url:  # the first address, or Back to it
        asked = _opening()
    if current.touched or asked == {key: text for key, text in current.written.items() if key in KEYS}:
        return  # a quick second choice comes with the URL of before the first
    for key in KEYS:
        if asked.get(key) == current.written.get(key):
            continue
        text = asked.get(key)
        if text is None:
            setattr(current, key, None)
        elif key in NUMBERS and not (text.isdecimal() and len(text) < _DIGITS):
            refuse("notice.number", key, field=key, value=text)
        elif key == "language" and text not in LANGUAGES:
            refuse("notice.language", key, value=text)
        else:
            setattr(current, key, int(text) if key in NUMBERS else text)
    current.written = {key: text for key, text in current.written.items() if key not in KEYS} | asked


def read_settings(page: str) -> None:
    """Take over what the URL says about the settings of `page`; call it once the page is known.

    A link that was drawn before a fragment was redrawn holds older settings than the view. If the user follows such a
    link (`offered`) or returns to a page (`left`), the view is kept.
    """
    current = view()
    if page != current.page:
        current.rooms.clear()
    asked = {key: text for key, text in st.query_params.items() if key not in KEYS}
    if lost := asked.pop(LOST, None):
        refuse("notice.page", value=lost)
    written = {key: text for key, text in current.written.items() if key not in KEYS}
    touched, stale = current.touched, current.stale
    current.touched = current.stale = False
    current.steady = touched and not stale and page == current.page
    url = st.query_params.to_dict()
    back = current.left is not None and current.left[:2] == (page, url)
    if not touched and (back or (page != current.page and url == current.offered.get(page))):
        for key, value in (current.left[2] if back and current.left else current.came).items():
            setattr(current, key, value)
        current.page, asked = page, current.settings.get(page, {})
        current.written, written = url, asked
    current.linked = not touched and (page != current.page or asked != written)
    if current.linked:
        for key in parameters.unknown(page, list(asked)):
            refuse("notice.parameter", field=key)
        asked = {key: text for key, text in asked.items() if parameters.is_known(page, key)}
        settings = {key: text for key, text in asked.items() if len(text) <= SETTING_LIMIT}
        for key in [key for key in asked if key not in settings]:
            refuse("notice.long", field=key, limit=SETTING_LIMIT)
        if settings != current.settings.get(page, {}):  # not merely left and come back to
            current.before = {by: noted for by, noted in current.before.items() if by[0] != page}
        current.settings[page] = settings
    current.page = page
    current.drawn = set()
    current.offered = {}


def again(drawn: set[str]) -> None:
    """Prepare to redraw one fragment, whose controls read the settings `drawn`; rerun the whole page if `stale`."""
    current = view()
    if current.stale:
        rerun()
    current.touched = current.linked = False
    current.steady = True
    current.drawn -= drawn


def setting(key: str) -> str | None:
    """The page's own setting as the URL spells it, or None where the user never touched it."""
    view().drawn.add(key)
    return view().settings.get(view().page, {}).get(key)


def rerun() -> NoReturn:
    """Draw the whole page again, from the view: its URL may not have reached the browser yet."""
    touch()
    st.rerun()


def touch() -> None:
    """What draws the page next is this session's own doing, and no link."""
    view().touched = True


def offer(page: str) -> dict[str, str]:
    """The URL of a link to `page`."""
    current = view()
    current.offered[page] = address(page)
    return current.offered[page]


def address(page: str = "") -> dict[str, str]:
    """The view as it stands in the URL, of `page` or of this one; what the user never touched is left out."""
    settings = view().settings.get(page or view().page, {})
    if not page:
        settings = {key: text for key, text in settings.items() if key in view().drawn}
    return _common() | settings


def _shared() -> dict[str, object]:
    """What all pages share."""
    return {key: getattr(view(), key) for key in KEYS}


def _common() -> dict[str, str]:
    """The part of the URL that all pages share; what no URL can hold is left out."""
    chosen = {key: str(value) for key, value in _shared().items() if value is not None}
    if len(chosen.get("sentence", "")) > CHARACTER_LIMIT:
        del chosen["sentence"]
    if not chosen.get("checkpoint", "").startswith(catalogue.UNTRAINED):
        chosen.pop("seed", None)
    return chosen


def script_of(page: str) -> str:
    """The file of a page, from the shell; Python allows no folder of the name `break`."""
    return f"{'break_it' if page == 'break' else page}/page.py"


def open_page(name: str, **choices: object) -> None:
    """Go to another page with the view and `choices` in its URL, so that the browser's Back returns here.

    Streamlit first writes the new settings into the URL of this page. For Back, `left` keeps it and the choices before.
    """
    current, here, before = view(), view().page, _shared()
    current.page = name
    choose(**choices)
    current.page = here
    current.left = here, address(name), before
    st.switch_page(script_of(name), query_params=current.left[1])


def write_address() -> None:
    """Put what the user chose into the URL, also if an older URL that this session sent is still on its way."""
    current = view()
    sent, current.written = current.written, address()
    came, wanted = st.query_params.to_dict(), current.written
    if came != wanted or (sent != wanted and not current.linked):
        current.behind += [came, sent]
        st.query_params.from_dict(wanted)


def _goes_back() -> bool:
    """Whether Back or Forward of the browser started this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return bool(getattr(context, "is_history_navigation", False))


def _opening() -> dict[str, str]:
    """What a URL that says nothing stands for: the model that reads the language of the user's browser."""
    name = catalogue.FIRST_FOR.get(preferred(st.context.locale), "")
    known = catalogue.sentence_models()
    return {"checkpoint": name} if name in known and known[name].is_sound() else {}


def bound(
    key: str,
    value: object,
    changed: Callable[[], None] | None = None,
    first: Mapping[str, object] | None = None,
    offers: object = None,
) -> dict[str, Any]:
    """Arguments that tie a widget to the view: `st.selectbox(label, options, **bound("layer", 0))`; see `tied`."""

    def take() -> None:
        choose(**{key: st.session_state[key]})
        if changed:
            changed()

    return {"key": key, "on_change": take, **_told(key, value, first, offers)}


def tied(
    key: str, value: object, default: object, first: Mapping[str, object] | None = None, offers: object = None
) -> dict[str, Any]:
    """Arguments that tie a widget to a setting of this page, as `bound` does; the default is left out of the URL.

    `first` are the arguments that give this kind of widget its initial value, such as `{"value": 3}`; `offers` is what
    can be chosen, if that varies: the titles of the options, or the range. `_told` needs them.
    """

    def take() -> None:
        chosen = st.session_state[key]
        choose(**{key: None if chosen == default else chosen})

    return {"key": key, "on_change": take, **_told(key, value, first, offers)}


def _told(key: str, value: object, first: Mapping[str, object] | None, offers: object) -> Mapping[str, object]:
    """Set the value of a widget, or return the arguments for its initial value if the widget already has it.

    Symptom: a choice jumped back. Cause: setting a widget's value on every rerun overwrites a choice the user made in
    the meantime. Therefore a widget that offers the same as in the run before (`offers`) and has the value is left
    alone. It still gets its initial value (`first`), because the browser may not have drawn it yet.
    """
    current = view()
    stands = current.steady and (current.page, offers) == current.standing.get(key)
    current.standing[key] = current.page, offers
    if first and stands and st.session_state.get(key) == value:
        return first
    st.session_state[key] = value
    return {}


def choose(**choices: object) -> None:
    """Set choices from code: an example clicked, a head locked in a figure. None goes back to the default."""
    current = view()
    current.stale = current.stale or bool(current.notices) or not choices.keys().isdisjoint(_WHOLE)
    current.notices.clear()
    current.touched = True
    settings = current.settings.setdefault(current.page, {})
    if not choices.keys().isdisjoint(("sentence", "checkpoint")):
        for own in current.settings.values():
            own.pop(PIN, None)
    for key, value in choices.items():
        if key in KEYS:
            setattr(current, key, value)
        elif value is None:
            settings.pop(key, None)
        else:
            settings[key] = spelled(value)


def chosen(key: str) -> object:
    """What stands at a key of the view or of this page, None for the default; `choose` takes it back as it is."""
    return getattr(view(), key) if key in KEYS else view().settings.get(view().page, {}).get(key)


def kept(key: str) -> str | None:
    """What this page keeps for the session alone, such as what can be undone."""
    return view().kept.get(view().page, {}).get(key)


def keep(**values: str | None) -> None:
    """Keep values of this page that no URL carries; None lets one go."""
    own = view().kept.setdefault(view().page, {})
    for key, value in values.items():
        if value is None:
            own.pop(key, None)
        else:
            own[key] = value


def spell_out(key: str, value: object) -> None:
    """Put a default into the URL, where the user has chosen nothing: a link then names it."""
    view().settings.setdefault(view().page, {}).setdefault(key, spelled(value))


def forget(key: str) -> None:
    """Let a setting of this page fall back to its default without a word."""
    view().settings.get(view().page, {}).pop(key, None)


def spelled(value: object) -> str:
    """A setting as it stands in the URL: 10000, 0.5, 1 for yes, values of a list between commas."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(spelled, value))
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def refuse(notice: str, key: str | None = None, **values: object) -> None:
    """Note what the URL asked for in vain, and let `key` fall back to its default."""
    shortened: dict[str, object] = {name: str(value)[:NAMED] for name, value in values.items()}
    if (notice, shortened) not in view().notices:
        view().notices.append((notice, shortened))
    if key in KEYS:
        setattr(view(), str(key), None)
    elif key:
        forget(key)


def forget_place() -> None:
    """Back to the defaults of a newly chosen model."""
    choose(attention_kind=None, layer=None, head=None)


def widget(key: str):
    """The value that a widget or component sent with this run."""
    return st.session_state[key]
