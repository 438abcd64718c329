"""The sheet as a component, and what the user's view of it and switched heads do to the link."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from model.edit import change_edits, notation
from pages.shared.changes import in_link
from pages.shared.changes.wording import described
from pages.shared.load.component_code import component
from pages.shared.models import models, spoken
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, script_run, view, widgets
from pages.shared.session.base_path import base
from pages.shared.text import notices
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import film_modules, origin
from pages.sheet import one_head, page_of_part, source
from pages.sheet.sheet_route import PATH
from viz.components.sheet import FRONTEND, sheet_data

_sheet = component("sheet", FRONTEND)
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,8})?(e-?\d{1,2})?")
_HEAD = re.compile(r"(encoder|decoder|cross)\.(\d{1,3})\.(\d{1,3})")
_CELL = re.compile(r"([A-Za-z_0-9.\[\]]{1,90}),(\d{1,6}),(\d{1,6})")


def sheet(current_run: CurrentRun) -> None:
    """The sheet of the run in view, or of the same pass under the changes of the link."""
    changes = _changes(current_run)
    request = _asked(current_run, changes)
    off = [".".join(change.at) for change in changes if change.on and change.verb == "off"]
    with show.still("sheet", words("pages.sheet")):
        result = _draw(current_run, request, off)
    if result.open:
        page, choices = page_of_part.door(result.open["part"], result.open["role"])
        address.open_page(page, **choices)


def _draw(current_run: CurrentRun, request: source.SheetRequest, off: Sequence[str]) -> Any:
    return _sheet(
        data=sheet_data(
            f"{base()}{PATH}/{source.token(request)}",
            section("sheet_figure"),
            section("sheet_role"),
            camera=_camera(),
            cell=_cell(),
            film=_film(),
            off=None if current_run.recorded else off,
            film_module=film_modules.address("sheet"),
            file=origin.file_beginning(current_run.entry.name),
            languages=spoken.tags(),
        ),
        key="sheet",
        on_view_change=widgets.heard("sheet", "view", _looked),
        on_head_change=widgets.heard("sheet", "head", lambda message: _switched(current_run, message)),
        on_open_change=lambda: None,
    )


def _changes(current_run: CurrentRun) -> tuple[notation.Change, ...]:
    """The changes of the link that the sheet can show; none before the model is loaded."""
    if current_run.recorded:
        return ()
    changes = in_link.sound(current_run.entry, current_run.sentence, "changes")
    if any(change.on for change in changes) and change_edits.padding(changes):
        notices.say("info", words("sheet.padding"))
        return ()
    return changes


def _asked(current_run: CurrentRun, changes: Sequence[notation.Change]) -> source.SheetRequest:
    """Which sheet; where there are changes, a control chooses the original, the changed one, or the difference."""
    entry, sentence = current_run.entry, current_run.sentence
    changes_text = notation.spell(change for change in changes if change.on)
    if not changes_text:
        return source.SheetRequest(entry, sentence)
    options: tuple[source.Shown, ...] = ("changed", "original", "difference")
    titles = {which: words(f"sheet_shown.{which}") for which in options}
    state = in_link.EditState(current_run, models.run(entry, sentence), tuple(changes), tuple(changes))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sheet_changes"):
        which = controls.choice("shown", words("sheet.shown"), titles, options[0], hidden=True)
        text = " · ".join(described(state, change) for change in changes if change.on)
        st.text(text, width="content")
        st.button(words("intervene_list.clear"), key="clear_changes", type="tertiary", on_click=_clear)
    return source.SheetRequest(entry, sentence, changes_text, which)


def _looked(at: Mapping[str, Any] | None) -> None:
    """Camera, cell and stop of the film together: so the browser's Back takes back what one click did."""
    if at is not None:
        view.choose(**{name: at.get(name) for name in ("camera", "cell", "film")})


def _switched(current_run: CurrentRun, message: Mapping[str, Any] | None) -> None:
    """Switch a head off, or on again."""
    at = _HEAD.fullmatch(str(message["at"])) if message else None
    if not message or not at:
        return
    config = current_run.entry.config
    layers = config.layers("encoder" if at[1] == "encoder" else "decoder")
    head = one_head.Head(at[1], int(at[2]), int(at[3]), layers, config.heads)
    changes = notation.read(str(view.chosen("changes") or ""))[0]
    new = one_head.switched_off(changes, head) if message["off"] else one_head.switched_on(changes, head)
    if len(new) > notation.LIMIT:
        view.refuse("intervene_list.full")
        script_run.redraw_page()
        return
    view.choose(changes=notation.spell(new) or None)


def _clear() -> None:
    view.choose(changes=None, shown=None)


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


def _film() -> int | None:
    """The stop of the film in the link; the browser lets go of one there is not."""
    text = view.setting("film")
    if text is None or (text.isdecimal() and len(text) < 6):
        return None if text is None else int(text)
    controls.let_go("film", words("sheet.film"), text)
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
