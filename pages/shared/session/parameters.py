"""The settings that a page reads from its address. A link with another name gets a notice."""

from collections.abc import Iterable

from pages.shared.session import page_list

CELL = "_cell"  # at the end of a matrix's name: the cell that is pinned there
_PARTS = ("camera", "cell", "changes", "film", "pin")  # settings that name a part of a model or of one pass
# what other sites add to a link; WeChat adds the last four, of which `from` is a setting of two pages
TRACKING = ("utm_", "fbclid", "gclid", "msclkid", "from", "isappinstalled", "nsukey", "scene")


def is_known(page: str, name: str) -> bool:
    """Whether `page` reads a setting of that name."""
    declaration = page_list.pages().get(page)
    return declaration is None or name in declaration.settings.split() or name.endswith(CELL)


def unknown(page: str, names: list[str]) -> list[str]:
    """Parameters that neither this page reads nor another site adds."""
    return [name for name in names if not is_known(page, name) and not is_tracking(name)]


def is_tracking(name: str) -> bool:
    """Whether another site has added a parameter of that name."""
    return name.lower().startswith(TRACKING)


def names_a_part(settings: Iterable[str]) -> bool:
    """Whether one of the settings has a meaning in one model alone, so that who sets it has chosen the model."""
    return any(name in _PARTS or name.endswith(CELL) for name in settings)
