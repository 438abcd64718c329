"""Whether the model in view can read the sentence in view, and which other can."""

from contextlib import suppress

from model.checkpoint import catalogue, language_fit
from model.errors import InvalidInput
from pages.shared.models import models


def misfit(entry: catalogue.Entry, sentence: str) -> language_fit.Misfit | None:
    """Reason why the model cannot read the sentence; None where it can, or where it reads no language."""
    own = _known_words(entry)
    if own is None:
        return None
    others = [_known_words(other) for name, other in catalogue.sentence_models().items() if name != entry.name]
    return language_fit.misfit(sentence, own, [other for other in others if other])


@models.cached
def _known_words(entry: catalogue.Entry) -> language_fit.KnownWords | None:
    """A model whose card says which language it reads; the small tasks read none."""
    with suppress(InvalidInput):
        card = entry.card
        if "source_language" in card:
            tokenizer = models.tokenizer(entry)
            return language_fit.KnownWords(
                entry.name, card["source_language"], card.get("target_language", ""), tokenizer
            )
    return None
