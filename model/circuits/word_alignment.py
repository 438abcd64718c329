"""Whether cross-attention aligns words: the alignment error rate of every head against gold links.

A head joins each word of the target with the source word that it weights most, in one of two rows of the decoder:

written  the row that writes the word (naive; its input is the token before)
read     the row that reads the word (shifted; its input is the word itself)

Special tokens of the source are left out. A word of several pieces is joined with what any of its pieces is joined
with. With A the links of a head, S the sure and P the possible links of gold (S among P),

    AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)          Och & Ney 2003; rows: Zenkel 2019, Garg 2019, Chen 2020

N sentences, L layers, H heads, T target rows, S source tokens; head H of a layer is the mean of its heads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tokenizers

from corpora.grammar.gold import Aligned, Span
from model.checkpoint.checkpoints import Checkpoint
from model.decode.recorded_pass import recorded
from model.intervals import Estimate
from model.tokenization.tokenizer import BOS
from model.trace import stacked_weights
from model.transformer import Transformer

ROWS = ("written", "read")


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of a pair as a model reads them, and the word that each belongs to, or −1."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    source_words: np.ndarray
    rows: tuple[int, ...]  # of the decoder, in which the pieces of the target are read
    target_words: np.ndarray  # of these pieces


def tokens(checkpoint: Checkpoint, pair: Aligned) -> Tokens:
    """Cut both sentences; the target stands behind `<bos>` and what a model has to write first."""
    tokenizer, (source, target) = checkpoint.tokenizer, pair.pair
    source_words = _words(tokenizer.inner, source, pair.source_words)
    before = [-1] * len(tokenizer.before)
    read = (BOS, *checkpoint.model.config.forced)
    target_words = _words(getattr(tokenizer, "target", tokenizer.inner), target, pair.target_words)
    return Tokens(
        tuple(tokenizer.encode(source)), (*read, *tokenizer.target_pieces(target)),
        np.array([*before, *source_words, *([-1] * len(tokenizer.after))]),
        tuple(range(len(read), len(read) + len(target_words))), np.array(target_words),
    )  # fmt: skip


def _words(inner: tokenizers.Tokenizer, text: str, words: Sequence[Span]) -> list[int]:
    """The word in which each piece of a text ends."""
    offsets = inner.encode(text, add_special_tokens=False).offsets
    return [next((at for at, (start, end) in enumerate(words) if start < stop <= end), -1) for _, stop in offsets]


def weights(model: Transformer, read: Tokens) -> np.ndarray:
    """Cross-attention of a pass over the pair, and the mean of each layer's heads: (L, H + 1, T, S)."""
    each = stacked_weights(recorded(model, read.source, read.target), "cross")
    return np.concatenate([each, each.mean(axis=1, keepdims=True)], axis=1)


def strongest(each: np.ndarray, read: Tokens) -> np.ndarray:
    """The source word that each head weights most, in both rows of each target piece: (2, L, H + 1, pieces)."""
    visible = np.where(read.source_words >= 0, each, -1)
    rows = np.array(read.rows)
    return np.stack([read.source_words[visible[:, :, at].argmax(axis=-1)] for at in (rows - 1, rows)])


def linked(pieces: np.ndarray, read: Tokens, pair: Aligned) -> np.ndarray:
    """The links A of each head, from the source word of each target piece: (…, source words, target words)."""
    links = np.zeros((*pieces.shape[:-1], len(pair.source_words), len(pair.target_words)), dtype=bool)
    for at, word in enumerate(read.target_words):
        if word >= 0:
            np.put_along_axis(links[..., word], pieces[..., at, None], True, axis=-1)
    return links


def counts(links: np.ndarray, pair: Aligned) -> np.ndarray:
    """|A ∩ S|, |A ∩ P|, |A| and |S| on the last axis, of links (…, source words, target words)."""
    sure, possible = (_matrix(each, links.shape[-2:]) for each in (pair.sure, pair.possible))
    each = [(links & gold).sum(axis=(-2, -1)) for gold in (sure, possible)]
    return np.stack([*each, links.sum(axis=(-2, -1)), np.full(links.shape[:-2], sure.sum())], axis=-1)


def _matrix(links: frozenset[tuple[int, int]], shape: tuple[int, ...]) -> np.ndarray:
    matrix = np.zeros(shape, dtype=bool)
    for i, j in links:
        matrix[i, j] = True
    return matrix


def error_rate(totals: np.ndarray) -> np.ndarray:
    """AER of the four counts on the last axis."""
    result: np.ndarray = 1 - (totals[..., 0] + totals[..., 1]) / (totals[..., 2] + totals[..., 3])
    return result


def same_spelling(pair: Aligned) -> list[tuple[int, int]]:
    """Sure links of words that are spelled alike in both languages, such as names; of three letters or more."""
    source, target = pair.pair
    alike = ((i, j, source[slice(*pair.source_words[i])], target[slice(*pair.target_words[j])]) for i, j in pair.sure)
    return [(i, j) for i, j, a, b in alike if a == b and len(a) > 2 and a[0].isupper()]


@dataclass(frozen=True, eq=False)
class Measured:
    """Of a model over N sentences: counts (N, 2, L, H + 1, 4); right and all of the words that are spelled alike and
    are one piece of the target, (N, 2, L, H + 1, 2). With more pieces, the row that reads one would write the next.
    """

    counts: np.ndarray
    alike: np.ndarray


def measure(
    checkpoint: Checkpoint, pairs: Sequence[Aligned], report: Callable[[int], None] = lambda count: None
) -> Measured:
    """Every head over the pairs, each read with its reference; `report` is told how many are done."""
    both: list[tuple[np.ndarray, np.ndarray]] = []
    for number, pair in enumerate(pairs, 1):
        read = tokens(checkpoint, pair)
        pieces = strongest(weights(checkpoint.model, read), read)
        single = [(i, read.target_words == j) for i, j in same_spelling(pair) if sum(read.target_words == j) == 1]
        alike = [pieces[..., here] == i for i, here in single]
        right = np.concatenate([*alike, np.zeros((*pieces.shape[:-1], 0), dtype=bool)], axis=-1)
        share = np.stack([right.sum(axis=-1), np.full(right.shape[:-1], right.shape[-1])], axis=-1)
        both.append((counts(linked(pieces, read, pair), pair), share))
        report(number)
    return Measured(np.stack([each for each, _ in both]), np.stack([each for _, each in both]))


def diagonal(pairs: Sequence[Aligned]) -> np.ndarray:
    """Counts (N, 4) of joining each target word with the source word at the same share of its sentence."""
    return np.stack([counts(_along(len(pair.source_words), len(pair.target_words)), pair) for pair in pairs])


def _along(source: int, target: int) -> np.ndarray:
    links = np.zeros((source, target), dtype=bool)
    positions = np.arange(target)
    links[((positions + 0.5) * source / target).astype(int), positions] = True
    return links


def named(values: np.ndarray) -> dict[str, Estimate]:
    """Rates with intervals (L, H + 1, 3) by head, as a file spells it: `cross.1.0`, and `cross.1.mean` of a layer."""
    layers, heads = values.shape[:2]
    names = [*map(str, range(heads - 1)), "mean"]
    return {
        f"cross.{layer}.{name}": Estimate(*map(float, values[layer, head]))
        for layer in range(layers)
        for head, name in enumerate(names)
    }
