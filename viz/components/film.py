"""JavaScript that makes films of figures: a page gets it when a film is asked for, since few are."""

from .js_bundle import bundle

_ENTRIES = {"attention": "attention/film.js", "sheet": "sheet/film_file.js"}
NAMES = tuple(_ENTRIES)


def module(name: str) -> str:
    """The module of a figure; its default export makes the film."""
    return bundle(_ENTRIES[name])
