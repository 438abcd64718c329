"""Space that is reserved for a figure until it is drawn, so that nothing below it jumps.

Symptom: everything below a figure jumped when it was drawn. Cause: its height is not known to the browser before, and a
style sent as an element arrives after the first paint, because Streamlit first loads its script for HTML. Each further
style element makes the browser restyle the whole page. Therefore the height is part of the container's key, digit by
digit, and the CSS rules that read it (`rules`) come with the HTML page.
Tests: `tests/pages/shared/ui/test_reserved_space.py`; `test_nothing_moves_while_a_page_is_drawn` in
`tests/pages/layers/test_browser.py`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st

from pages.shared.session.state import visit_state

MOST = 5999  # px
_MEDIA = {"w": "(min-width: 769px)", "s": "(max-width: 768px)"}  # beside the list of pages, and below it
_DIGITS = ("hundreds", "tens", "ones")


def rules() -> str:
    """The CSS of all reserved spaces.

    A selector must not start with a part of a class (`[class*=…]`) and end with `*` or `div`: Streamlit changes the
    class of each element when a run begins and ends, and the browser would then restyle all that is below.
    Test: `test_a_rule_for_many_classes_names_what_it_is_about` in `tests/pages/shared/test_layout.py`.
    """
    height = "min-height: calc(var(--hundreds) * 100px + var(--tens) * 10px + var(--ones) * 1px)"
    # a figure that knows when it is drawn marks itself, and has what it needs from then on
    css = [f'[class*="st-key-room-"]:not(:has([data-drawn])) {{ {height}; }}']
    for side, media in _MEDIA.items():
        digits = [f'[class*="-{side}h{n}-"] {{ --hundreds: {n}; }}' for n in range(1, MOST // 100 + 1)]
        digits += [
            f'[class*="-{side}{name[0]}{n}-"] {{ --{name}: {n}; }}' for name in _DIGITS[1:] for n in range(1, 10)
        ]
        css.append(f"@media {media} {{ {' '.join(digits)} }}")
    # what stands inside a reserved space has none of its own unless it says so
    own = [f'@property --{name} {{ syntax: "<integer>"; inherits: false; initial-value: 0; }}' for name in _DIGITS]
    return "\n".join([*own, *css])


@dataclass
class Reserved:
    """The spaces of the page in view whose figures mark themselves as drawn."""

    keys: dict[str, str] = field(default_factory=dict)  # by figure, the key of its first container


@contextmanager
def reserve(name: str, wide: float, slim: float | None = None, marks: bool = False) -> Iterator[None]:
    """A container at least `wide` px high, on a phone `slim` px, both rounded down.

    A figure that `marks` itself as drawn (`data-drawn`) needs no reserved space from then on. It keeps its first
    container, because the browser would rebuild the figure in a container with another key.
    """
    container_key = key(name, wide, wide if slim is None else slim)
    with st.container(key=visit_state(Reserved).keys.setdefault(name, container_key) if marks else container_key):
        yield


def forget() -> None:
    """Let the figures of a page start in new containers: another tab is shown."""
    visit_state(Reserved).keys.clear()


def key(name: str, wide: float, slim: float) -> str:
    """The container's key."""
    parts = [
        f"{side}h{px // 100}-{side}t{px % 100 // 10}-{side}o{px % 10}"
        for side, px in (("w", _whole(wide)), ("s", _whole(slim)))
    ]
    return f"room-{'-'.join(parts)}-{name}"


def _whole(pixels: float) -> int:
    return min(MOST, max(0, int(pixels)))
