"""How far each method of attribution can be trusted in a checkpoint: measured over sentences, for its card."""

from typing import Any

from model.analysis.labels import WITHOUT_PROBABILITY, kind_of
from model.attribution.trust import over_sentences
from model.build import cards
from model.errors import InvalidInput
from model.measurements.asked import CHECKPOINT, LINES, Asked, option
from model.measurements.measurement import Measurement

SENTENCES = 100


def _measure(asked: Asked) -> dict[str, Any]:
    """The means of `over_sentences`."""
    if kind_of(asked.entry.config) in WITHOUT_PROBABILITY:
        raise InvalidInput("attribution_number", name=asked.entry.name)
    return asked.over(asked.sentences(SENTENCES), over_sentences)


MEASUREMENT = Measurement[None](
    name="attribution",
    about="how far each method of attribution can be trusted, as JSON",
    measure=_measure,
    options=(CHECKPOINT, LINES),
    save=option("--card", action="store_true", dest="save", help="write the result into the card"),
    file="card.json",
    write=cards.add_attribution,
)
