"""The numbers of the primer's look-up: the sampled sharpness, the weights that the user typed."""

from collections.abc import Sequence

from model.analysis import soft_lookup
from model.errors import InvalidInput
from pages.shared.models.models import cached
from pages.shared.text import notices
from pages.shared.text.words import refusal


@cached(copy=True)
def measured(keys: int, seed: int) -> list[soft_lookup.Sharpness]:
    """Every size d_k, sampled."""
    return [soft_lookup.sharpness(size, keys, seed=seed) for size in soft_lookup.SIZES]


def weights(numbers: Sequence[float], divide: bool) -> list[float]:
    """The user's weights, divided by their sum if they want; where that cannot be, as they are, with a word."""
    if not divide:
        return list(numbers)
    try:
        return [float(weight) for weight in soft_lookup.normalised(numbers)]
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return list(numbers)
