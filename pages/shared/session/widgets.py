"""The tie between widgets and the view: a widget shows what the view holds, and changes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.session import script_run, view
from pages.shared.session.state import state


@dataclass
class Widgets:
    """The widgets as they were last drawn."""

    offers: dict[str, tuple[str, object]] = field(default_factory=dict)  # by key, the page and what could be chosen


def bound(
    key: str,
    value: object,
    on_change: Callable[[], None] | None = None,
    first: Mapping[str, object] | None = None,
    offers: object = None,
) -> dict[str, Any]:
    """Arguments that tie a widget to the view: `st.selectbox(label, options, **bound("layer", 0))`; see `tied`."""

    def take() -> None:
        view.choose(**{key: sent(key)})
        if on_change:
            on_change()

    return {"key": key, "on_change": take, **_value(key, value, first, offers)}


def tied(
    key: str, value: object, default: object, first: Mapping[str, object] | None = None, offers: object = None
) -> dict[str, Any]:
    """Arguments that tie a widget to a setting of this page, as `bound` does; the default is left out of the URL.

    `first` are the arguments that give this kind of widget its initial value, such as `{"value": 3}`; `offers` is what
    can be chosen, if that varies: the titles of the options, or the range. `_value` needs them.
    """

    def take() -> None:
        new = sent(key, view.limit_of(key))
        view.choose(**{key: None if new == default else new})

    return {"key": key, "on_change": take, **_value(key, value, first, offers)}


def held(key: str, value: object, on_change: Callable[[Any], None]) -> dict[str, Any]:
    """Arguments for a widget whose value is kept elsewhere: it shows `value`, and `on_change` gets another one."""

    def take() -> None:
        on_change(sent(key))
        script_run.touch()

    return {"key": key, "on_change": take, **_value(key, value, None, None)}


def sent(key: str, limit: int = view.KEPT) -> Any:
    """The value that a widget sent with this run; of a text at most `limit` characters, whatever a browser allows."""
    value = st.session_state[key]
    return value[:limit] if isinstance(value, str) else value


def heard(key: str, event: str, act: Callable[[Any], None]) -> Callable[[], None]:
    """A callback that gives `act` what a component sent as `event`.

    Symptom: "Something unexpected went wrong" on the page opened. Cause: the component of the page that was left still
    sends, for example where a flight of its camera ended, and Streamlit calls the callback although the component has
    no state any more. Therefore nothing is done then.
    Test: `test_a_component_that_is_gone_is_not_heard` in `tests/pages/shared/session/test_widgets.py`.
    """

    def take() -> None:
        if key in st.session_state:
            act(st.session_state[key].get(event))

    return take


def _value(key: str, value: object, first: Mapping[str, object] | None, offers: object) -> Mapping[str, object]:
    """Set the value of a widget, or return the arguments for its initial value if the widget already has it.

    Symptom: a choice jumped back. Cause: setting a widget's value on every rerun overwrites a choice the user made in
    the meantime. Therefore a widget that offers the same as in the run before (`offers`) and has the value is left
    alone. It still gets its initial value (`first`), because the browser may not have drawn it yet.
    """
    before, now = state(Widgets).offers, (view.view().page, offers)
    same = script_run.current().same_controls and before.get(key) == now
    before[key] = now
    if first and same and st.session_state.get(key) == value:
        return {} if _is_set(key) else first
    st.session_state[key] = value
    return {}


def _is_set(key: str) -> bool:
    """Whether the value was set by the run that this one repeats; Streamlit warns of an initial value beside it."""
    context = get_script_run_ctx()
    return context is not None and context.session_state.is_new_state_value(key)
