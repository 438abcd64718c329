"""What the model in view writes, as it is or under a change."""

from __future__ import annotations

from model.checkpoint import catalogue
from model.course import generated
from pages.shared.models import models


@models.cached(beside="if free")
def under(entry: catalogue.Entry, sentence: str, change: str = "") -> generated.Generated:
    """The output for a sentence; a change is spelled as in a link."""
    return generated.generated(models.checkpoint(entry), models.run(entry, sentence), change)
