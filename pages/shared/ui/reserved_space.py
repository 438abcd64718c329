"""Room that is kept for a figure until it is drawn, so that nothing below it jumps.

A style of its own would come with Streamlit's script for HTML, after the first paint. So the height stands in
the container's key, digit by digit, and `rules` come with the page.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared.session import view

MOST = 5990  # px
_MEDIA = {"w": "(min-width: 769px)", "s": "(max-width: 768px)"}  # beside the list of pages, and below it
_DIGITS = ("hundreds", "tens")


def rules() -> str:
    """The style of every room."""
    height = "min-height: calc(var(--hundreds) * 100px + var(--tens) * 10px)"
    # a figure that knows when it is drawn marks itself, and has what it needs from then on
    found = [f'[class*="st-key-room-"]:not(:has([data-drawn])) {{ {height}; }}']
    for side, media in _MEDIA.items():
        digits = [f'[class*="-{side}h{n}-"] {{ --hundreds: {n}; }}' for n in range(1, MOST // 100 + 1)]
        digits += [f'[class*="-{side}t{n}-"] {{ --tens: {n}; }}' for n in range(1, 10)]
        found.append(f"@media {media} {{ {' '.join(digits)} }}")
    # what stands inside a room has none of its own unless it says so
    own = [f'@property --{name} {{ syntax: "<integer>"; inherits: false; initial-value: 0; }}' for name in _DIGITS]
    return "\n".join([*own, *found])


@contextmanager
def room(name: str, wide: float, slim: float | None = None, marks: bool = False) -> Iterator[None]:
    """Room for what is drawn inside: `wide` px high, on a phone `slim`; less than a digit's worth may be missing.

    A figure that `marks` itself when it is drawn keeps its first room, which it no longer needs: in a container of
    another key the browser would build all of it anew.
    """
    wanted = key(name, wide, wide if slim is None else slim)
    with st.container(key=view.view().rooms.setdefault(name, wanted) if marks else wanted):
        yield


def key(name: str, wide: float, slim: float) -> str:
    """The container's key."""
    parts = [f"{side}h{px // 100}-{side}t{px % 100 // 10}" for side, px in (("w", _whole(wide)), ("s", _whole(slim)))]
    return f"room-{'-'.join(parts)}-{name}"


def _whole(pixels: float) -> int:
    return min(MOST, max(0, int(pixels)))
