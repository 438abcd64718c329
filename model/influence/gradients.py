"""Gradients of single sentences, and what they say of a word: their dot product, and TRAK's.

A step on a training pair moves the weights along −∇loss(pair). To first order that raises log p of a word by the dot
product of ∇loss(pair) and ∇loss(word), times the learning rate. TRAK (Park et al. 2023) puts the inverse of the
gradients' Gram matrix between the two, so that what many pairs say in the same way counts once.
N training pairs, B sentences, P parameters, K numbers of a sketch.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call, grad, vmap

from corpora.pairs import Example
from model import masks
from model.influence.moments import Moment
from model.influence.retraining import Asked
from model.transformer import Transformer

WIDTH = 4096  # numbers of a sketch
NARROW = 1024  # where sketches of many moments are kept apart
AT_ONCE = 64  # sentences: 20 MB of gradients for 75,000 parameters
RIDGE = 0.3  # of TRAK's Gram matrix, as a share of its mean diagonal; of 0.01 to 3 the best on validation sentences


class Sketches(NamedTuple):
    """Gradients of the training pairs as sketches (N, K), and the inverse of their Gram matrix with a ridge (N, N)."""

    pairs: np.ndarray
    inverse: np.ndarray


def of_gradients(pairs: np.ndarray) -> Sketches:
    """Of sketches of ∇loss of each pair, the loss summed over its tokens as a step of the training does, (N, K)."""
    return Sketches(pairs, inverse_gram(pairs, RIDGE))


def inverse_gram(pairs: np.ndarray, ridge: float) -> np.ndarray:
    """(G Gᵀ + ridge · mean diagonal)⁻¹ of gradients (N, K), which gives what (Gᵀ G + …)⁻¹ would with fewer numbers."""
    gram = pairs.astype(np.float64) @ pairs.T
    return np.linalg.inv(gram + ridge * np.trace(gram) / len(gram) * np.eye(len(gram)))


def dot_products(sketches: Sketches, word: np.ndarray) -> np.ndarray:
    """What a step on each pair adds to log p of words with the gradients (…, K), per unit of learning rate: (…, N)."""
    return word @ sketches.pairs.T


def trak(sketches: Sketches, word: np.ndarray) -> np.ndarray:
    """The same with the inverse of the Gram matrix between the gradients: (…, N)."""
    return dot_products(sketches, word) @ sketches.inverse


def of_words(model: Transformer, words: Sequence[Asked]) -> np.ndarray:
    """Sketches of −∇log p of words: (words, K)."""
    return sketched(model, *questions(words))


def questions(words: Sequence[Asked]) -> tuple[list[Example], list[int | None]]:
    """Words as sentences, and the row of each that counts."""
    return [(word.source, word.target) for word in words], [word.row for word in words]


def along(moments: Sequence[Moment], examples: Sequence[Example], rows: Sequence[int | None]) -> np.ndarray:
    """Sketches (B, K) of the gradients at all moments, one behind the other, arguments as `sketched`.

    Their dot product is what steps on the one add to log p of the other along the training.
    """
    return np.sum(
        [sketched(moment.model, examples, rows, moment.factors.sqrt(), seed=moment.step) for moment in moments], axis=0
    )


def sketched(
    model: Transformer,
    examples: Sequence[Example],
    rows: Sequence[int | None],
    factors: Tensor | float = 1.0,
    *,
    seed: int = 0,
    width: int = WIDTH,
) -> np.ndarray:
    """Sketches (B, K) of the gradient of −log p, of one row of each sentence or of all its tokens (None).

    A count sketch (Charikar et al. 2002): each parameter, times its factor (P), is added to one of K numbers with a
    random sign, so that dot products are right on average, with a deviation of |a| |b| / √K. With several seeds
    sketches can be added up: they are then those of longer vectors.
    """
    generator = torch.Generator().manual_seed(seed)
    size = sum(parameter.numel() for parameter in model.parameters())
    bucket = torch.randint(width, (size,), generator=generator)
    sign = (torch.randint(2, (size,), generator=generator) * 2.0 - 1) * factors
    found = []
    for start in range(0, len(examples), AT_ONCE):
        part = gradients(model, examples[start : start + AT_ONCE], rows[start : start + AT_ONCE])  # (B, P)
        found.append(torch.zeros(width, len(part)).index_add_(0, bucket, (part * sign).T).T)
    return torch.cat(found).numpy()


def rotated(sketches: np.ndarray) -> np.ndarray:
    """Sketches (B, K) turned in a random direction, so that each number is a sum of all; dot products stay.

    A fast Walsh-Hadamard transform after random signs (Ailon and Chazelle 2006); K is a power of 2.
    """
    count, size = sketches.shape
    found = sketches * np.random.default_rng(0).choice(np.array([-1, 1], dtype=np.float32), size)
    step = 1
    while step < size:
        both = found.reshape(count, -1, 2, step)
        found = np.stack([both[:, :, 0] + both[:, :, 1], both[:, :, 0] - both[:, :, 1]], axis=2).reshape(count, size)
        step *= 2
    return found / np.sqrt(np.float32(size))


def gradients(model: Transformer, examples: Sequence[Example], rows: Sequence[int | None]) -> Tensor:
    """The gradients (B, P) themselves, of the parameters in the model's order."""
    source, target = (masks.padded([example[side] for example in examples])[0] for side in (0, 1))
    counted = masks.real(target[:, 1:]).float()  # (B, T)
    for number, row in enumerate(rows):
        if row is not None:
            counted[number] = torch.nn.functional.one_hot(torch.tensor(row), counted.size(1))
    source, target, counted = (each.to(model.device) for each in (source, target, counted))
    weights = {name: parameter.detach() for name, parameter in model.named_parameters()}
    scratch = copy.deepcopy(model)  # where two parts share a table, functional_call does not put it back

    def loss(weights: dict[str, Tensor], source: Tensor, target: Tensor, counted: Tensor) -> Tensor:
        """−log p of the tokens that count, of one sentence: ids (S) and (T + 1), counted (T)."""
        inputs = source[None], target[None, :-1], masks.real(source[None])
        logits = functional_call(scratch, weights, inputs)[0]  # (T, V)
        return -(logits.log_softmax(dim=-1).gather(-1, target[1:, None])[:, 0] * counted).sum()

    found = vmap(grad(loss), in_dims=(None, 0, 0, 0))(weights, source, target, counted)
    return torch.cat([value.flatten(1) for value in found.values()], dim=1).cpu()
