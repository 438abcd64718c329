"""Setting a page up for the reader, by a step to try or a tour: they are led there, and can put back what was."""

from collections.abc import Mapping

from pages.shared import components, view

_PLACE = dict.fromkeys(("attention_kind", "layer", "head"))  # another model starts at its own


def set_up(by: str, choices: Mapping[str, object], at: str = "") -> None:
    """Choose for the reader, note what was chosen before `by`, and point at the container of the key `at`."""
    chosen = _PLACE | dict(choices) if "checkpoint" in choices else choices
    noted = view.view().before.setdefault((view.view().page, by), {})
    for key in chosen:
        noted.setdefault(key, view.chosen(key))  # the first note holds: before all steps
    view.choose(**chosen)
    view.view().pointed = at


def moved(by: str) -> bool:
    """Whether anything that `by` chose on this page still differs from what was before."""
    return any(view.chosen(key) != value for key, value in _noted(by).items())


def put_back(by: str) -> None:
    """Choose again what was before `by`."""
    noted = _noted(by)
    view.view().before.pop((view.view().page, by), None)
    view.choose(**noted)


def point() -> None:
    """Bring what this run is to point at into view, in this run only."""
    at, view.view().pointed = view.view().pointed, ""
    if at:
        components.outline(at)
        components.point_at(at)


def _noted(by: str) -> dict[str, object]:
    return view.view().before.get((view.view().page, by), {})
