"""Which token: of a list, of a sentence whose longest word is looked at first, or of a figure beside the control."""

from collections.abc import Iterable, Sequence

import streamlit as st

from model.config import LONGEST
from model.tokenization.token_text import is_special
from pages.shared.session import widgets
from pages.shared.text.notices import plain
from pages.shared.ui import controls

FEW = 16  # tokens that fit beside each other; more go into a list


def numbered(
    key: str, label: str, tokens: Sequence[str], default: int, places: Iterable[int] | None = None, between: str = "  "
) -> int:
    """A list of tokens with their positions, of `places` alone if given."""
    options = range(len(tokens)) if places is None else places
    return controls.select(key, label, {at: f"{at}{between}{tokens[at]}" for at in options}, default)


def longest_first(key: str, label: str, tokens: Sequence[str]) -> int:
    """Tokens beside each other, many in a list; at first the longest word, which has the most to tell."""
    names = distinct(tokens)
    lengths = [0 if token[0] == "<" or is_special(token) else len(token) for token in tokens]
    default = lengths.index(max(lengths))
    if len(tokens) <= FEW:
        return controls.choice(key, label, {at: plain(name) for at, name in enumerate(names)}, default)
    return controls.select(key, label, dict(enumerate(names)), default)


def distinct(tokens: Sequence[str]) -> list[str]:
    """The tokens, a second one of the same name with its position."""
    return [f"{token} ({at})" if token in tokens[:at] else token for at, token in enumerate(tokens)]


def with_ids(key: str, label: str, tokens: Sequence[str], ids: Sequence[int] | None, default: int) -> int:
    """Tokens beside each other, each with its id, which a click in a figure chooses too; the last of a shorter one."""
    titles = {at: plain(token) + (f" :small[:gray[{ids[at]}]]" if ids else "") for at, token in enumerate(tokens)}
    place = min(controls.picked(key, label, LONGEST, default), len(titles) - 1)
    tied = widgets.tied(key, place, default, {"default": place}, titles)
    return st.segmented_control(label, list(titles), format_func=titles.__getitem__, required=True, **tied)
