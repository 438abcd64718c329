"""The sheet as a component, and what the user's camera and chosen cell do to the link."""

from __future__ import annotations

import re

import streamlit as st

from model.edit import change_edits, notation
from pages.shared.changes import in_link
from pages.shared.changes.wording import described
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view, widgets
from pages.shared.session.base_path import base
from pages.shared.text import notices
from pages.shared.text.words import section, words
from pages.shared.ui import controls
from pages.sheet import page_of_part, source
from pages.sheet.route import PATH
from viz.components.sheet import FRONTEND, sheet_data

_sheet = st.components.v2.component("sheet", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,8})?(e-?\d{1,2})?")
_CELL = re.compile(r"([A-Za-z_0-9.\[\]]{1,90}),(\d{1,6}),(\d{1,6})")


def sheet(current_run: CurrentRun) -> None:
    """The sheet of the run in view, or of the same pass under the changes of the link."""
    asked = _asked(current_run)
    result = _sheet(
        data=sheet_data(
            f"{base()}{PATH}/{source.token(asked)}",
            section("sheet_figure"),
            section("sheet_role"),
            _camera(),
            _cell(),
        ),
        key="sheet",
        on_camera_change=_moved,
        on_cell_change=_chosen,
        on_open_change=lambda: None,
    )
    if result.open:
        page, choices = page_of_part.door(result.open["part"], result.open["role"])
        address.open_page(page, **choices)


def _asked(current_run: CurrentRun) -> source.SheetRequest:
    """Which sheet; where the link has changes, a control chooses the original, the changed one, or the difference."""
    entry, sentence = current_run.entry, current_run.sentence
    changes = () if current_run.recorded else in_link.sound(entry, sentence, "changes")
    if any(change.on for change in changes) and change_edits.padding(changes):
        notices.say("info", words("sheet.padding"))
        changes = ()
    spelled = notation.spell(change for change in changes if change.on)
    if not spelled:
        return source.SheetRequest(entry, sentence)
    options: tuple[source.Shown, ...] = ("changed", "original", "difference")
    titles = {shown: words(f"sheet_shown.{shown}") for shown in options}
    shown = controls.choice("shown", words("sheet.shown"), titles, options[0])
    state = in_link.EditState(current_run, models.run(entry, sentence), changes, changes)
    st.text(" · ".join(described(state, change) for change in changes if change.on))
    return source.SheetRequest(entry, sentence, spelled, shown)


def _moved() -> None:
    at = widgets.sent("sheet").get("camera")
    if at:
        view.choose(camera=",".join(f"{number:.5g}" for number in at["at"]))


def _chosen() -> None:
    at = (widgets.sent("sheet").get("cell") or {}).get("at")
    view.choose(cell=",".join(map(str, at)) if at else None)


def _camera() -> tuple[float, ...] | None:
    """The camera of the link: the centre as shares of the sheet, and the zoom."""
    text = view.setting("camera")
    if text is None:
        return None
    numbers = text.split(",")
    if len(numbers) == 3 and all(_NUMBER.fullmatch(number) for number in numbers) and float(numbers[2]) > 0:
        return tuple(map(float, numbers))
    controls.let_go("camera", words("sheet.camera"), text)
    return None


def _cell() -> tuple[str, int, int] | None:
    """The cell of the link: `decoder.0.cross_attention.weights[1],3,5`; the browser lets go of one there is not."""
    text = view.setting("cell")
    if text is None:
        return None
    if match := _CELL.fullmatch(text):
        return match[1], int(match[2]), int(match[3])
    controls.let_go("cell", words("sheet.cell"), text)
    return None
