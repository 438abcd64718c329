"""A pass in which features stand for a vector, or in which features are stronger or weaker than they are.

Both are edits of `model.edit`, to be composed with others: `translate(checkpoint, sentence, tap=compose(model, edit))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from model.edit.edited_pass import Edit, EditedPass
from model.errors import InvalidInput
from model.features.dictionary import Dictionary
from model.features.sites import Site

How = Literal["add", "set"]


@dataclass(frozen=True)
class Steering:
    """A change of one feature: its strength in one row (token) or in all of them.

    add  `strength` more of its direction, or less
    set  exactly `strength` of it; 0 removes it
    """

    feature: int
    strength: float
    how: How = "add"
    row: int | None = None


def spliced(site: Site, dictionary: Dictionary) -> Edit:
    """The reconstruction in place of the vector: what the features leave unexplained is lost."""
    return Edit(site.writes, lambda value, at: dictionary.reconstruction(_read(site, value, at)))


def steered(site: Site, dictionary: Dictionary, changes: Sequence[Steering]) -> Edit:
    """The vector with features stronger or weaker. What no change names stays exactly as it is, the error too.

    Raises `InvalidInput` for a feature that the dictionary does not have.
    """
    for each in changes:
        if not 0 <= each.feature < dictionary.features:
            raise InvalidInput("features_number", number=each.feature, last=dictionary.features - 1)

    def change(value: Tensor, at: EditedPass) -> Tensor:
        vectors = _read(site, value, at)
        rows = at.rows(value)
        for each in changes:
            shift = steered_by(dictionary, vectors, each.feature, each.strength, each.how)
            if each.row is not None:
                shift = shift * (rows == each.row)[:, None]
            value = value + shift
        return value

    return Edit(site.writes, change)


def exchanged(site: Site, dictionary: Dictionary, feature: int, strength: float, rows: Tensor) -> Edit:
    """The strongest feature of some rows, (B, T) true, taken away, and `strength` of another one added there."""

    def change(value: Tensor, at: EditedPass) -> Tensor:
        features, strengths = dictionary.sparse(_read(site, value, at))
        own = strengths[..., :1] * dictionary.decoder.T[features[..., 0]]  # (B, T, d)
        shift = strength * dictionary.decoder[:, feature] - own
        return value + torch.where(rows.to(value.device)[..., None], shift, 0)

    return Edit(site.writes, change)


def steered_by(dictionary: Dictionary, vectors: Tensor, feature: int, strength: float, how: How) -> Tensor:
    """The vectors (…, d) to add to what is written, for what is read (…, d)."""
    direction = dictionary.decoder[:, feature]
    if how == "add":
        return strength * direction.expand(*vectors.shape[:-1], -1)
    features, strengths = dictionary.sparse(vectors)
    own = torch.where(features == feature, strengths, 0).sum(dim=-1, keepdim=True)  # (…, 1)
    return (strength - own) * direction


def _read(site: Site, value: Tensor, at: EditedPass) -> Tensor:
    """The vectors that the dictionary encodes, (B, T, d)."""
    return site.read(at.model, at.stream) if site.is_transcoder else value
