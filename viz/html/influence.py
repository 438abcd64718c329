"""A sentence whose words are coloured by what they contribute: red speaks for the output, blue against it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..templates import render


@dataclass(frozen=True)
class Influence:
    """A word, its number as text, its share of the largest number (−1 to 1), and whether it is the largest."""

    word: str
    shown: str
    share: float
    first: bool = False


def influence_html(title: str, groups: Sequence[tuple[str, str, Sequence[Influence]]]) -> str:
    """HTML of one line; a group is a name, `source` or `target`, and its words."""
    return render("html/templates/influence.html", "line", title=title, groups=groups)
