"""A dictionary of features: each vector is written as a mean plus the sum of few of many directions (TopK).

After Gao et al. 2024, "Scaling and evaluating sparse autoencoders" (arXiv 2406.04093), section 2. d numbers of a
vector, F features, K of them active at most, … any leading axes. A strength is how much of its direction, which has
length 1, a feature adds.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, eq=False)
class Dictionary:
    """The weights of a dictionary, read-only.

    encoder         (F, d) what each feature looks for
    encoder_bias    (F)
    decoder         (d, F) the direction that each feature adds; columns have length 1
    mean            (d) the mean of the vectors that are read, subtracted before encoding
    target_mean     (d) the mean of what is written, to which features are added; equal to `mean` unless a transcoder
    active          K
    """

    encoder: Tensor
    encoder_bias: Tensor
    decoder: Tensor
    mean: Tensor
    target_mean: Tensor
    active: int

    @property
    def features(self) -> int:
        """How many features it has, F."""
        return len(self.encoder)

    def sparse(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """The K strongest features of vectors (…, d), strongest first, (…, K), and their strengths (…, K) ≥ 0.

        A feature of strength 0 is not active: fewer than K may be.
        """
        scores = functional.linear(vectors - self.mean, self.encoder, self.encoder_bias)  # (…, F)
        strengths, features = scores.topk(self.active, dim=-1)  # (…, K)
        return features, strengths.relu()

    def encode(self, vectors: Tensor) -> Tensor:
        """The strength of every feature in vectors (…, d): (…, F), at most K of them above 0."""
        features, strengths = self.sparse(vectors)
        empty = torch.zeros(*features.shape[:-1], self.features, dtype=strengths.dtype, device=strengths.device)
        return empty.scatter(-1, features, strengths)

    def decode(self, strengths: Tensor) -> Tensor:
        """The vectors (…, d) of strengths (…, F): of zeros, the mean."""
        return functional.linear(strengths, self.decoder, self.target_mean)

    def reconstruction(self, vectors: Tensor) -> Tensor:
        """What the features make of vectors (…, d): (…, d)."""
        features, strengths = self.sparse(vectors)
        rows = self.decoder.T[features]  # (…, K, d)
        return (strengths[..., None] * rows).sum(dim=-2) + self.target_mean

    def error(self, vectors: Tensor, targets: Tensor | None = None) -> Tensor:
        """The part of the targets (…, d) that the features of `vectors` do not explain; targets are the vectors
        themselves unless the dictionary is a transcoder. The reconstruction plus the error is the target."""
        return (vectors if targets is None else targets) - self.reconstruction(vectors)

    def to(self, device: torch.device | str, kind: torch.dtype | None = None) -> Dictionary:
        """The same dictionary on a device, or in another precision."""
        return Dictionary(
            **{name: value.to(device, kind) for name, value in self.tensors().items()}, active=self.active
        )

    def tensors(self) -> dict[str, Tensor]:
        """Its weights by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "active"}


def normalised(tensors: dict[str, Tensor], active: int) -> Dictionary:
    """A dictionary of weights by name, in single precision, with decoder columns of length 1."""
    single = {name: value.float() for name, value in tensors.items()}
    single["decoder"] = functional.normalize(single["decoder"], dim=0)
    return Dictionary(**single, active=active)
