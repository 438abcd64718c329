"""Links by which one page asks another to show something, by its controls."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode

from model.checkpoint import catalogue
from model.errors import InvalidInput

# of each browser's own address, and not of a view that is shown to others
OWN = ("language", "visible", "computed", "embed", "embed_options")
_VIEW = re.compile(r"/?([a-z]*)(?:\?(.*))?", re.DOTALL)


LIVE = "/live"  # where this server has live pages
ENGINE = "/engine"  # where it computes for them what no browser can
END, START = "end", "0"  # moments of every model that was trained
FRESH = dict.fromkeys(("moment", "other_moment", "other_changes", "other_head", "reads", "pin"))  # nothing left over


def view_of(text: str) -> str:
    """A view as it is kept, `attention?head=3&checkpoint=de-en`, from an address below the app's own.

    The language is left out, so that each reader keeps theirs. With another one an address without a model would mean
    another model: therefore the view names it. Raises `InvalidInput`.
    """
    match = _VIEW.fullmatch(text.strip())
    if match is None:
        raise InvalidInput("class_view")
    pairs = parse_qsl(match[2] or "")
    settings = [(key, value) for key, value in pairs if key not in OWN]
    if "checkpoint" not in dict(pairs) and (catalogue.folder() / catalogue.FIRST).is_dir():
        settings.append(("checkpoint", catalogue.FIRST))
    return f"{match[1]}?{urlencode(settings)}" if settings else match[1]
