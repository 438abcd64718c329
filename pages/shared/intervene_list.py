"""The changes listed: each can be switched off or removed; nothing runs until they are applied."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared import intervene, notices, view
from pages.shared.intervene import Bench
from pages.shared.intervene_words import described
from pages.shared.words import words


def changes(bench: Bench) -> None:
    """The list and its buttons."""
    if not bench.listed:
        st.caption(words("intervene_list.empty"))
    for number in range(len(bench.listed)):
        _line(bench, number)
    waits = bench.listed != bench.applied
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="list_buttons"):
        st.button(
            words("intervene_list.apply"),
            type="primary",
            key="apply",
            disabled=not waits,
            on_click=intervene.apply,
            args=(bench,),
        )
        st.button(words("intervene_list.undo"), key="undo", disabled=not intervene.can_undo(), on_click=intervene.undo)
        clear: dict[str, Any] = {
            "key": "clear",
            "disabled": not bench.listed,
            "on_click": intervene.put,
            "args": (bench, ()),
        }
        st.button(words("intervene_list.clear"), type="tertiary", **clear)
        if waits:
            st.caption(words("intervene_list.waiting"), width="content")


def _line(bench: Bench, number: int) -> None:
    change = bench.listed[number]
    others = (*bench.listed[:number], *bench.listed[number + 1 :])
    switched = (*bench.listed[:number], change.switched(), *bench.listed[number + 1 :])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"change_{number}"):
        tied: dict[str, Any] = view.tied(f"on_{number}", change.on, None)
        tied |= {"on_change": intervene.put, "args": (bench, switched)}
        st.toggle(notices.plain(described(bench, change)), width="content", wrap=True, **tied)
        st.button(
            words("intervene_list.remove"),
            key=f"remove_{number}",
            type="tertiary",
            on_click=intervene.put,
            args=(bench, others),
        )
