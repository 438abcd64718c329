"""A page's own controls, each mirrored in the URL. What a link asks for in vain is said, and the default shown."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from pages.shared.session import script_run, view, widgets
from pages.shared.text import notices
from pages.shared.ui.downloads import drawn
from viz.standalone.document import Text

T = TypeVar("T")
Number = TypeVar("Number", int, float)


def slider(
    key: str, label: str, low: Number, high: Number, default: Number, step: Number | None = None, help: str = ""
) -> Number:
    """A number between `low` and `high`."""
    value = _setting(key, label, default, _number_in(low, high))
    tied = widgets.tied(key, value, default, {"value": value}, (low, high, step))
    return st.slider(label, low, high, step=step, help=help or None, **tied)


def steps(key: str, label: str, options: Sequence[T], default: T, title: Callable[[T], str] = str) -> T:
    """A slider over a few chosen values, such as powers of two."""
    value = _setting(key, label, default, _one_of(options))
    tied = widgets.tied(key, value, default, {"value": value}, [title(option) for option in options])
    return st.select_slider(label, list(options), format_func=title, **tied)


def number(
    key: str, label: str, low: Number, high: Number, default: Number, step: Number | None = None, help: str = ""
) -> Number:
    """A number to type, between `low` and `high`."""
    value = _setting(key, label, default, _number_in(low, high))
    tied = widgets.tied(key, value, default, {"value": value}, (low, high, step))
    return st.number_input(label, low, high, step=step, help=help or None, **tied)


def choice(key: str, label: str, options: Mapping[T, str], default: T, hidden: bool = False) -> T:
    """One of a few, all in view; the options with their titles. `hidden` leaves the label to screen readers."""
    value = _setting(key, label, default, _one_of(list(options)))
    option = st.segmented_control(  # type: ignore[call-overload]
        label,
        list(options),
        format_func=options.__getitem__,
        required=True,
        label_visibility="collapsed" if hidden else "visible",
        **widgets.tied(key, value, default, {"default": value}, options),
    )
    line = f"{label}: {options[option]}".replace("\\", "")
    drawn.add(lambda: [Text(line, "caption")])
    return option


def several(key: str, label: str, options: Mapping[T, str], default: Sequence[T]) -> list[T]:
    """Any of a few, all in view; none is allowed."""
    read = _one_of(list(options))
    value = _setting(key, label, list(default), lambda text: [read(part) for part in text.split(",") if part])
    return st.segmented_control(
        label,
        list(options),
        selection_mode="multi",
        format_func=options.__getitem__,
        **widgets.tied(key, value, list(default), {"default": value}, options),
    )


def select(key: str, label: str, options: Mapping[T, str], default: T) -> T:
    """One of many, in a list that opens."""
    value = _setting(key, label, default, _one_of(list(options)))
    tied = widgets.tied(key, value, default, {"index": list(options).index(value)}, options)
    return st.selectbox(label, list(options), format_func=options.__getitem__, **tied)


def listed(key: str, label: str, options: Mapping[T, str], about: Mapping[T, str], default: T) -> T:
    """One of many, all in view in a list, with a line about each."""
    value = _setting(key, label, default, _one_of(list(options)))
    return st.radio(
        label,
        list(options),
        format_func=options.__getitem__,
        captions=[about[option] for option in options],
        label_visibility="collapsed",
        **widgets.tied(key, value, default, {"index": list(options).index(value)}, [options, about]),
    )


def toggle(key: str, label: str, default: bool = False, help: str = "") -> bool:
    """Yes or no."""
    value = _setting(key, label, default, lambda text: {"1": True, "0": False}[text])
    return st.toggle(label, help=help or None, **widgets.tied(key, value, default, {"value": value}))


def text(key: str, label: str, default: str, limit: int, hint: str = "") -> str:
    """A line to type, at most `limit` characters."""
    default = default[:limit]
    value = _setting(key, label, default, lambda text: text[:limit])
    tied = widgets.tied(key, value, default, {"value": value})
    return st.text_input(label, max_chars=limit, placeholder=hint, autocomplete="off", **tied)


def picked(key: str, label: str, count: int, default: int) -> int:
    """A place in a figure (a token, a cell) that is clicked there and has no widget of its own: 0 … count - 1."""
    return _setting(key, label, default, _number_in(0, count - 1))


def named(key: str, label: str, options: Sequence[str], default: str) -> str:
    """One of a list that is chosen elsewhere, by a button or a tile, and has no widget of its own."""
    return _setting(key, label, default, _one_of(options))


def _setting(key: str, label: str, default: T, read: Callable[[str], T]) -> T:
    """Value of the URL or of the user's last choice, or the default with a word about it."""
    text = view.setting(key)
    if text is None:
        return default
    try:
        return read(text)
    except (ValueError, KeyError, OverflowError):
        let_go(key, label, text)
        return default


def let_go(key: str, label: str, text: str) -> None:
    """Forget a setting that is not possible here; say so where a link asked for it."""
    if not script_run.current().by_link:  # a shorter sentence, another model: what was chosen is no longer there
        view.forget(key)
        return
    notices.refuse("notice.setting", key, field=label, value=text[:40])


def _number_in(low: Number, high: Number) -> Callable[[str], Number]:
    def read(text: str) -> Number:
        value = type(low)(text)
        if not low <= value <= high:
            raise ValueError
        return value

    return read


def _one_of(options: Sequence[T]) -> Callable[[str], T]:
    option_of = {view.spelled(option): option for option in options}
    return option_of.__getitem__
