"""Features of a dictionary as HTML: how strong one is in a token, and the sentences in which it is active."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..templates import render

TEMPLATE = "html/templates/features.html"


@dataclass(frozen=True)
class Shaded:
    """A token, the share of its largest strength that a feature has there (0 to 1), and whether the token is meant.

    It has a space in front where the text has one.
    """

    token: str
    share: float
    marked: bool = False


def feature_html(name: str, number: str, share: float, examples: Sequence[Sequence[Shaded]]) -> str:
    """A feature of a token, its bar as long as `share` (0 to 1), with pieces of sentences in which it is strong."""
    return render(TEMPLATE, "feature", name=name, number=number, share=share, examples=examples)


def examples_html(groups: Sequence[tuple[str, Sequence[tuple[str, Sequence[Shaded]]]]]) -> str:
    """Groups of sentences under their titles; a sentence is the strength of its marked token, and its tokens."""
    return render(TEMPLATE, "examples", groups=groups)
