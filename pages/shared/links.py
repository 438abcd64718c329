"""What one page may ask another to show, by its controls."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode

from model.errors import InvalidInput

# of each browser's own address, and not of a view that is shown to others
OWN = ("language", "visible", "embed", "embed_options")
_VIEW = re.compile(r"/?([a-z]*)(?:\?(.*))?", re.DOTALL)


END, START = "end", "0"  # moments of every model that was trained
FRESH = dict.fromkeys(("moment", "other_moment", "other_changes", "other_head", "reads", "pin"))  # nothing left over


def view_of(text: str) -> str:
    """A view as it is kept, `attention?head=3`, from an address below the app's own; raises `InvalidInput`."""
    found = _VIEW.fullmatch(text.strip())
    if found is None:
        raise InvalidInput("room_view")
    settings = [(key, value) for key, value in parse_qsl(found[2] or "") if key not in OWN]
    return f"{found[1]}?{urlencode(settings)}" if settings else found[1]
