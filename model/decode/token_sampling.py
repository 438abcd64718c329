"""Sampling with temperature, top-k and top-p, and the candidates of a step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.errors import InvalidInput


@dataclass(frozen=True)
class Sampling:
    """How the next token is drawn: from softmax(logits / temperature), cut to the likeliest tokens and renormalised.

    top_k  keeps the k likeliest tokens; 0 keeps all
    top_p  keeps the smallest number of likeliest tokens whose probabilities sum to at least p; applied after top_k
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        for field, value, low, high in (
            ("temperature", self.temperature, 0.01, 100), ("top_k", self.top_k, 0, 10**6), ("top_p", self.top_p, 0, 1)
        ):  # fmt: skip
            if not low <= value <= high or (field == "top_p" and value == 0):
                raise InvalidInput("sampling", field=field, value=value, low=low, high=high)


@dataclass(frozen=True)
class Candidates:
    """The k likeliest next tokens of one step, likeliest first; the chosen token comes last if it is not among them.

    drawn    the probability of each after temperature, top-k and top-p; None for greedy decoding
    others   probability of all tokens that are not listed, together; `others_drawn` likewise after the cut
    """

    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    drawn: tuple[float, ...] | None
    others: float
    others_drawn: float | None
    chosen: int
    chosen_probability: float
    chosen_rank: int


def distribution(logits: Tensor, sampling: Sampling) -> Tensor:
    """The probabilities (V), in double precision, from which a token is drawn. Of equal ones the lower id is kept."""
    probabilities = (logits.double() / sampling.temperature).softmax(dim=-1)
    descending, ids = probabilities.sort(descending=True, stable=True)
    mask = torch.ones_like(descending, dtype=torch.bool)
    if sampling.top_k:
        mask[sampling.top_k :] = False
    shares = descending * mask / (descending * mask).sum()
    likelier = shares.cumsum(0) - shares  # of all likelier ones
    mask &= likelier < sampling.top_p - 1e-12
    mask[0] = True
    cut = torch.zeros_like(probabilities)
    cut[ids[mask]] = descending[mask]
    return cut / cut.sum()


def uniforms(seed: int, count: int) -> Tensor:
    """One random number in [0, 1) for each step, so that a step draws the same number in every branch."""
    return torch.rand(count, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def draw(probabilities: Tensor, uniform: float) -> int:
    """The token whose interval of [0, 1) holds the random number; the likeliest token has the first interval."""
    descending, ids = probabilities.sort(descending=True, stable=True)
    place = int(torch.searchsorted(descending.cumsum(0), torch.tensor(uniform, dtype=torch.float64), right=True))
    return int(ids[min(place, int((descending > 0).sum()) - 1)])  # the sum may end a rounding error below 1


def next_tokens(logits: Tensor, sampling: Sampling | None, uniform: float) -> Tensor:
    """The next token of each row of logits (B, V): (B), drawn with one random number, or the likeliest."""
    if sampling is None:
        return logits.argmax(dim=-1)
    return torch.tensor([draw(distribution(row, sampling), uniform) for row in logits.cpu()])


def candidates(logits: np.ndarray, chosen: int, count: int, sampling: Sampling | None = None) -> Candidates:
    """The `count` likeliest tokens of a step with these logits (V), and the chosen one."""
    row = torch.from_numpy(np.asarray(logits))
    probabilities = row.double().softmax(dim=-1)
    ids = probabilities.sort(descending=True, stable=True).indices[:count]
    if chosen not in ids.tolist():
        ids = torch.cat([ids, torch.tensor([chosen])])
    draws = None if sampling is None else distribution(row, sampling)
    chosen_probability = probabilities[chosen]
    rank = (
        1 + int((probabilities > chosen_probability).sum()) + int((probabilities[:chosen] == chosen_probability).sum())
    )
    return Candidates(
        ids=tuple(ids.tolist()),
        probabilities=tuple(probabilities[ids].tolist()),
        drawn=None if draws is None else tuple(draws[ids].tolist()),
        others=_rest(probabilities, ids),
        others_drawn=None if draws is None else _rest(draws, ids),
        chosen=chosen,
        chosen_probability=float(chosen_probability),
        chosen_rank=rank,
    )


def _rest(probabilities: Tensor, ids: Tensor) -> float:
    others = probabilities.clone()
    others[ids] = 0
    return float(others.sum())
