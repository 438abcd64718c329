"""The changes listed: each can be switched off or removed; nothing runs until they are applied."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.intervene import undo
from pages.shared.changes.in_link import EditState
from pages.shared.changes.wording import described
from pages.shared.session import widgets
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import show


def changes(state: EditState) -> None:
    """The list and its buttons."""
    if not state.listed:
        show.caption(words("intervene_list.empty"))
    for number in range(len(state.listed)):
        _line(state, number)
    waits = state.listed != state.applied
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="list_buttons"):
        st.button(
            words("intervene_list.apply"),
            type="primary",
            key="apply",
            disabled=not waits,
            on_click=undo.apply,
            args=(state,),
        )
        st.button(words("intervene_list.undo"), key="undo", disabled=not undo.can_undo(), on_click=undo.undo)
        clear: dict[str, Any] = {
            "key": "clear",
            "disabled": not state.listed,
            "on_click": undo.put,
            "args": (state, ()),
        }
        st.button(words("intervene_list.clear"), type="tertiary", **clear)
        if waits:
            st.caption(words("intervene_list.waiting"), width="content")


def _line(state: EditState, number: int) -> None:
    change = state.listed[number]
    others = (*state.listed[:number], *state.listed[number + 1 :])
    changes = (*state.listed[:number], change.switched(), *state.listed[number + 1 :])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"change_{number}"):
        tied: dict[str, Any] = widgets.tied(f"on_{number}", change.on, None)
        tied |= {"on_change": undo.put, "args": (state, changes)}
        st.toggle(notices.plain(described(state, change)), width="content", wrap=True, **tied)
        st.button(
            words("intervene_list.remove"),
            key=f"remove_{number}",
            type="tertiary",
            on_click=undo.put,
            args=(state, others),
        )
