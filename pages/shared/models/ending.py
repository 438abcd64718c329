"""Start of the decoding of a sentence, and the reason why an output stopped without `<eos>`."""

from __future__ import annotations

from model.checkpoint import catalogue
from model.decode import decoding_loop, start
from pages.shared.models import models
from pages.shared.text.words import words


@models.cached
def begin(entry: catalogue.Entry, sentence: str) -> start.DecodingStart:
    """Where the decoding of a sentence starts."""
    return start.decoding_start(models.checkpoint(entry), sentence)


def stopped(entry: catalogue.Entry, sentence: str, stop: decoding_loop.Stop, changed: bool = False) -> str:
    """Why an output has no end of its own, empty where it has; `changed` says that the model was tampered with."""
    if stop == "eos":
        return ""
    limit = begin(entry, sentence).limit
    if stop == "repetition" and isinstance(entry, catalogue.Untrained):
        return words("decoding_stopped.random")
    if stop == "repetition" and changed:
        return words("decoding_stopped.changed")
    return words(f"decoding_stopped.{stop}", limit=limit)
