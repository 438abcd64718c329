"""Rotary positions as transformers spells them: the frequencies of the pairs, and which two numbers are a pair.

D numbers per head, R of them rotated.
"""

from __future__ import annotations

import math
from typing import Any

from torch import Tensor

from model.errors import InvalidInput
from model.pretrained.converted import Fields

_KINDS = ("default", "linear", "llama3")


def positions(fields: Fields, head_size: int, *, base: tuple[str, float], share: tuple[str, float]) -> dict[str, Any]:
    """The fields of our config. `base` and `share` (of a head that is rotated): the family's field, and its default.

    Of two fields that scale, transformers takes the older one, `rope_scaling`, which people write by hand.
    """
    said = fields.get("rope_scaling") or fields.get("rope_parameters") or {}
    if not isinstance(said, dict):
        raise InvalidInput("import_field", field="rope_scaling", value=said, choices="an object {…}")
    kind = said.get("rope_type") or said.get("type") or "default"
    if kind not in _KINDS:
        raise InvalidInput("import_field", field="rope_type", value=kind, choices=", ".join(_KINDS))
    if kind == "llama3":
        said = {"original_max_position_embeddings": fields.count("max_position_embeddings")} | said
        if (original := fields.get("original_max_position_embeddings")) is not None:
            said |= {"original_max_position_embeddings": original}
    slowest = _number(said.get("rope_theta", fields.get(*base)))
    size = rotated_size(head_size, _number(said.get("partial_rotary_factor", fields.get(*share))))
    config: dict[str, Any] = {"position": "rotary", "position_base": slowest}
    if kind == "default" and size == head_size:
        return config
    turns = [_scaled(slowest ** (-pair / size), kind, said) for pair in range(0, size, 2)]
    return config | {"frequencies": (*turns, *[0.0] * ((head_size - size) // 2))}


def _number(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or value <= 0:
        raise InvalidInput("import_field", field="rope_parameters", value=value, choices="numbers above 0")
    return float(value)


def rotated_size(head_size: int, share: float) -> int:
    """How many numbers of a head are rotated. Raises `InvalidInput` where they are no pairs."""
    size = int(head_size * share)
    if size % 2 or head_size % 2:
        raise InvalidInput("import_pairs", size=size, head_size=head_size)
    return size


def _scaled(frequency: float, kind: str, said: dict[str, Any]) -> float:
    """A frequency as a model for longer texts has it: slow ones are slower, those in between a little."""
    if kind == "default":
        return frequency
    try:
        factor = float(said["factor"])
        if kind == "linear":
            return frequency / factor
        known = float(said["original_max_position_embeddings"])
        low, high = float(said["low_freq_factor"]), float(said["high_freq_factor"])
        turns = known * frequency / (2 * math.pi)  # full turns within the texts that the model first learnt from
        smooth = min(1.0, max(0.0, (turns - low) / (high - low)))
        return frequency * (smooth + (1 - smooth) / factor)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise InvalidInput("import_field", field="rope_parameters", value=said, choices="complete numbers") from None


def paired(value: Tensor, head_size: int, turned: int) -> Tensor:
    """Rows of each head (H · D, …) with the two numbers of a pair side by side.

    In the original they stand half of the `turned` numbers apart. The order of a head's dimensions is arbitrary.
    """
    heads = value.view(-1, head_size, *value.shape[1:]).clone()
    halves = heads[:, :turned].unflatten(1, (2, turned // 2))
    heads[:, :turned] = halves.transpose(1, 2).flatten(1, 2)
    return heads.view(value.shape)
