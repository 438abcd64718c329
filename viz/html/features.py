"""Features of a dictionary as HTML: how strong one is in a token, and the sentences in which it is active."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..templates import render

TEMPLATE = "html/templates/features.html"


@dataclass(frozen=True)
class Shaded:
    """A token with the share of the feature's largest strength that it has there (0 to 1); whether it is the one shown."""

    token: str
    share: float
    marked: bool = False


def feature_html(name: str, number: str, share: float, examples: Sequence[str], about: str) -> str:
    """A feature of a token: its bar reaches as far as `share` (0 to 1), `about` says what the examples are."""
    return render(TEMPLATE, "feature", name=name, number=number, share=share, examples=examples, about=about)


def examples_html(groups: Sequence[tuple[str, Sequence[tuple[str, Sequence[Shaded]]]]]) -> str:
    """Groups of sentences under their titles; a sentence is the strength of its marked token, and its tokens."""
    return render(TEMPLATE, "examples", groups=groups)
