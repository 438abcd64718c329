"""A control for a token of the course."""

from collections.abc import Sequence

from model.course import tokens
from pages.shared.text.notices import plain
from pages.shared.ui import controls


def pick(key: str, label: str, names: Sequence[str], default: int) -> int:
    """A control for one of the tokens that stand for text, by its place among all."""
    titles = {place: plain(names[place]) for place in tokens.worded(names)}
    return controls.choice(key, label, titles, default if default in titles else next(iter(titles)))
