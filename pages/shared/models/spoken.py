"""Which language the texts of the model in view are in, for screen readers and fonts: `lang` in HTML.

Figures and HTML say on which side of the model a text stands, its source or its target; here is what that side speaks.
"""

from collections.abc import Sequence
from contextlib import suppress

from model.errors import InvalidInput
from model.trace import TokenList, Trace
from pages.shared.models import current, models
from pages.shared.models.sentence import sentence_of
from pages.shared.session import language_choice

SIDES = ("source", "target")


def tags() -> dict[str, str]:
    """The HTML tag of the language of each side; empty where the card names none."""
    card: dict[str, object] = {}
    with suppress(InvalidInput):
        entry = current.entry()
        card = entry.card if entry is not None else {}
    return language_choice.tags_of(card)


def mark(html: str) -> str:
    """HTML of ours in which every `data-side` has its language beside it."""
    for side, tag in tags().items():
        if tag:
            html = html.replace(f' data-side="{side}"', f' data-side="{side}" lang="{tag}"')
    return html


def of_labels(labels: Sequence[Sequence[str]]) -> list[str]:
    """The tag of the language of each list of labels, if they are tokens of the sentence in view or of its output."""
    sides, tag_of = tokens(), tags()

    def tag(texts: Sequence[str]) -> str:
        side = next((side for side in SIDES if texts and sides.get(side, frozenset()).issuperset(texts)), "")
        return tag_of.get(side, "")

    return [tag(texts) for texts in labels]


def tokens() -> dict[str, frozenset[str]]:
    """The tokens of each side in the pass of the sentence in view; empty where there is none."""
    with suppress(InvalidInput):
        entry = current.entry()
        if entry is not None and models.has_run(entry, sentence := sentence_of(entry)):
            trace = models.run(entry, sentence).trace
            return {"source": _texts(trace, "source_tokens"), "target": _texts(trace, "target_tokens", "output_tokens")}
    return {}


def _texts(trace: Trace, *lists: TokenList) -> frozenset[str]:
    """The tokens of lists, and the words that they make."""
    tokens = (token for each in lists for token in getattr(trace, each))
    groups = (trace.words(each, whole=whole) for each in lists for whole in (False, True))
    return frozenset((*tokens, *(word.text for group in groups for word in group)))
