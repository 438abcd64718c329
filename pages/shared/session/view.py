"""Choices of the user: model, sentence, head, and each page's own settings. The URL mirrors them (`address.py`).

Streamlit drops the state of a widget when the user leaves its page. Therefore the choices are kept in a `View`, and
each widget gets its value from there (`widgets.py`).
"""

from dataclasses import dataclass, field

import streamlit as st

from pages.shared.session import language_choice, script_run
from pages.shared.session.state import state

TEXT = ("language", "checkpoint", "sentence", "attention_kind", "visible", "computed")
NUMBERS = ("layer", "head", "seed")
KEYS = (*TEXT, *NUMBERS)  # what all pages share
_WHOLE = ("language", "checkpoint", "sentence", "seed", "visible", "computed")  # the whole page depends on them
# characters that are kept of any text, typed or in the URL: more than any may have, so that what is too long is said,
# and few enough to be looked at one by one in every run
KEPT = 20_000
SETTING_LIMIT = 500  # characters of one setting in the URL
LONG_SETTINGS = {"lesson": 12_000}  # of those that may be longer
NAMED = 40  # characters of something asked for in vain
ON_SERVER, IN_BROWSER = "server", "browser"  # what `computed` may be; a view that is computed on the server has None
PIN = "pin"  # setting: the word or cell that is locked in the attention of one sentence
PAUSED = "paused"  # setting: "1" where the output of one sentence waits for somebody to play it


@dataclass
class View:
    """The user's choices; None means the default of the model in use."""

    language: str | None = None
    checkpoint: str | None = None
    sentence: str | None = None
    attention_kind: str | None = None
    visible: str | None = None  # what a teacher's link lets students see (`visible.py`)
    computed: str | None = None  # where: `IN_BROWSER`, else on the server
    layer: int | None = None
    head: int | None = None
    seed: int | None = None  # of an untrained model's weights
    by_language: str | None = None  # the model that came with the language: nobody has chosen it
    first_language: str = ""  # what `first_language` has found
    page: str = ""
    settings: dict[str, dict[str, str]] = field(default_factory=dict)  # by page, spelled as in its URL
    kept: dict[str, dict[str, str]] = field(default_factory=dict)  # by page, what no URL carries
    before_presets: dict[tuple[str, str], dict[str, object]] = field(default_factory=dict)  # by page and preset


def view() -> View:
    """This session's view."""
    return state(View)


def page_name() -> str:
    """Name of the page in view."""
    return view().page


def language() -> str:
    """The user's choice, or what their browser begins with; in a route of ours what `language_choice.speaking` says."""
    return language_choice.spoken() or view().language or first_language()


def first_language() -> str:
    """The language that was chosen last in this browser, in whatever session; else what the browser asks for first.

    It is found once in a session, as a run asks for it with every text.
    """
    current = view()
    if not current.first_language:
        browsers = st.context.locale, st.context.headers.get("accept-language")  # the first, and the whole list
        chosen = st.context.cookies.get(language_choice.COOKIE, "")
        current.first_language = language_choice.first_of(chosen, locale=",".join(filter(None, browsers)))
    return current.first_language


def choices() -> dict[str, object]:
    """Choices that all pages share."""
    return {key: getattr(view(), key) for key in KEYS}


def set_choices(choices: dict[str, object]) -> None:
    """Set what all pages share, as a URL has it; `choose` is for what the user does."""
    for key, value in choices.items():
        setattr(view(), key, value)


def choose(**choices: object) -> None:
    """Set choices from code: an example clicked, a head locked in a figure. None goes back to the default."""
    run, settings = script_run.current(), _settings()
    run.outdated = run.outdated or bool(run.notices) or not choices.keys().isdisjoint(_WHOLE)
    run.notices.clear()
    script_run.touch()
    if not choices.keys().isdisjoint(("sentence", "checkpoint")):
        for own in view().settings.values():
            own.pop(PIN, None)
            own.pop(PAUSED, None)
    if "checkpoint" in choices:
        view().by_language = None
    for key, value in choices.items():
        if key in KEYS:
            setattr(view(), key, value)
        elif value is None:
            settings.pop(key, None)
        else:
            settings[key] = spelled(value)


def chosen(key: str) -> object:
    """Value at a key of the view or of this page, None for the default; `choose` takes it back as it is."""
    return getattr(view(), key) if key in KEYS else _settings().get(key)


def forget_place() -> None:
    """Back to the defaults of a newly chosen model."""
    choose(attention_kind=None, layer=None, head=None)


def setting(key: str) -> str | None:
    """The page's own setting as the URL spells it, or None where the user never touched it."""
    script_run.current().drawn.add(key)
    return _settings().get(key)


def spell_out(key: str, value: object) -> None:
    """Put a default into the URL, where the user has chosen nothing: a link then names it."""
    _settings().setdefault(key, spelled(value))


def correct(key: str, text: str) -> None:
    """Replace a setting of this page by what of it is possible, without a word."""
    _settings()[key] = text


def forget(key: str) -> None:
    """Let a setting of this page fall back to its default without a word."""
    _settings().pop(key, None)


def replace_settings(page: str, settings: dict[str, str]) -> None:
    """Take over the settings of a page from a link; other settings end what its presets could restore."""
    current = view()
    if settings != current.settings.get(page, {}):
        current.before_presets = {by: before for by, before in current.before_presets.items() if by[0] != page}
    current.settings[page] = settings


def kept(key: str) -> str | None:
    """Value that this page keeps for the session alone, such as what can be undone."""
    return view().kept.get(view().page, {}).get(key)


def keep(**values: str | None) -> None:
    """Keep values of this page that no URL carries; None lets one go."""
    own = view().kept.setdefault(view().page, {})
    for key, value in values.items():
        if value is None:
            own.pop(key, None)
        else:
            own[key] = value


def refuse(notice: str, key: str | None = None, **values: object) -> None:
    """Note what the URL asked for in vain, and let `key` fall back to its default."""
    texts: dict[str, object] = {name: str(value)[:NAMED] for name, value in values.items()}
    notices = script_run.current().notices
    if (notice, texts) not in notices:
        notices.append((notice, texts))
    if key in KEYS:
        setattr(view(), str(key), None)
    elif key:
        forget(key)


def limit_of(key: str) -> int:
    """How many characters a setting may have in the URL."""
    return LONG_SETTINGS.get(key, SETTING_LIMIT)


def spelled(value: object) -> str:
    """A setting as it stands in the URL: 10000, 0.5, 1 for yes, values of a list between commas."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(spelled, value))
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _settings() -> dict[str, str]:
    """This page's own."""
    return view().settings.setdefault(view().page, {})
