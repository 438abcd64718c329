"""The sentence twice, coloured: by what a method says, and by what really happens without each word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.attribution import names
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui import controls, head_picker
from pages.why import asked as why
from pages.why.asked import Asked
from viz.html.influence import Influence, influence_html

HEAD = "head"
SHOWN = (*names.METHODS[:1], HEAD, *names.METHODS[1:-1])  # methods to choose from, the reference not
STILL = 0.1  # nats; a word does not matter if its deletion changes the score by less


def method(asked: Asked) -> tuple[str, head_picker.Place | None]:
    """Draw the control for the method, and for the head where it is one."""
    titles = section("why_method")
    name = controls.choice("method", words("why.method"), {each: titles[each] for each in SHOWN}, SHOWN[0], True)
    return name, head_picker.place(asked.current_run, ("cross", "decoder", "encoder")) if name == HEAD else None


def values_of(asked: Asked, name: str, place: head_picker.Place | None) -> np.ndarray:
    """What a method, or the head in view, gives each word."""
    return why.values(*asked.key, name) if place is None else why.of_head(asked, place)


def figure(asked: Asked) -> str:
    """Both lines, and in a sentence whether they agree; gives the method in view."""
    with page.card("figure_sentence", words("why.sentence_title")):
        why.said(asked)
        name, place = method(asked)
        said = values_of(asked, name, place)
        st.html(line(asked, words("why.says", method=words(f"why_method.{name}")), said, name in names.SIGNED))
        page.flush()
        falls = why.values(*asked.key, names.REFERENCE)
        st.html(line(asked, words("why.without"), falls, signed=True))
        st.text(" ".join([verdict(asked, words(f"why_method.{name}"), said, falls), of_written(asked, falls)]).strip())
    return name


def line(asked: Asked, title: str, values: np.ndarray, signed: bool) -> str:
    """The words of both sides with what each has; where nothing can be said stands a dash."""
    largest = float(np.nanmax(np.abs(values), initial=0)) or 1.0
    first = int(np.nanargmax(values)) if np.isfinite(values).any() else -1
    groups = []
    for side in ("source", "target"):
        each = [
            Influence(word.text, _number(values[at], signed), float(np.nan_to_num(values[at])) / largest, at == first)
            for at, word in enumerate(asked.inputs)
            if word.side == side
        ]
        if each:
            groups.append((side_title(asked, side), each))
    return influence_html(title, groups)


def side_title(asked: Asked, side: str) -> str:
    """What the words of a side are; a model without an encoder or without a decoder has one text."""
    if not asked.question.source or not asked.question.target:
        return words("why.text")
    return words("why.source") if side == "source" else words("why.target")


def _number(value: float, signed: bool) -> str:
    if np.isnan(value):
        return "–"
    return why.signed(value) if signed else f"{value:.2f}"


def verdict(asked: Asked, title: str, said: np.ndarray, falls: np.ndarray) -> str:
    """Whether the method and the deletion name the same word first, with the numbers."""
    texts = [word.text for word in asked.inputs]
    able = why.compared(asked)
    if not able:
        return words("why.nothing_to_delete")
    real, named = _largest(falls, able), _largest(said, able)
    if abs(falls[real]) < STILL:
        return words("why.still", still=STILL)
    numbers = {"method": title, "named": texts[named], "real": texts[real], "fall": why.signed(-falls[real])}
    after = _after(asked, falls[real], real)
    if named == real:
        return words("why.same", **numbers, after=after)
    return words("why.differs", **numbers, after=after, little=why.signed(-falls[named]))


def _largest(values: np.ndarray, able: Sequence[int]) -> int:
    return able[int(np.argmax(values[able]))]


def of_written(asked: Asked, falls: np.ndarray) -> str:
    """What the words written so far do, where one of them matters more than any of the source."""
    source = why.compared(asked)
    written = [at for at in np.flatnonzero(np.isfinite(falls)).tolist() if at not in source]
    if not written or not source:
        return ""
    most = _largest(falls, written)
    if falls[most] <= max(falls[source].max(), STILL):
        return ""
    texts = {"word": asked.inputs[most].text, "fall": why.signed(-falls[most])}
    return words("why.written_matters", **texts, instead=why.instead(*asked.key, most))


def _after(asked: Asked, fall: float, lost: int) -> str:
    """What the fall means for the token, and what would be written in its place."""
    before = why.score(*asked.key)
    if asked.rather is not None:
        return words("why.after_difference", before=why.signed(before), after=why.signed(before - fall))
    numbers = {"token": asked.token, "before": why.share(before), "after": why.share(before - fall)}
    instead = why.instead(*asked.key, lost)
    return words("why.after" if instead == asked.token else "why.after_instead", **numbers, instead=instead)
