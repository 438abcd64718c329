"""Pairs of words in real sentences: which stand together, and whether a head really looks from one at the other.

W words that were seen often enough, N sentences of T tokens, P pairs, H heads.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.residual_stream import Side
from model.attribution.score_terms.word_scores import first_weights
from model.transformer import Transformer

LEAST = 10  # sentences in which a word has to be seen
CELLS = 4_000_000  # pairs of tokens that are counted at most
MOST = 30  # sentences in which a pair is looked at
AT_ONCE = 64  # of these in one batch
Pair = tuple[int, int]  # of a query and a key, as ids


@dataclass(frozen=True, eq=False)
class SeenWords:
    """Sentences (N) as ids, and the words that are in at least `LEAST` of them: their ids (W), and in how many, (W)."""

    sentences: tuple[tuple[int, ...], ...]
    ids: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True)
class Checked:
    """Of `count` sentences that hold both words, those in which the query gives the key more than its mean weight.

    random  the same with another word of the sentence, drawn at random, in place of the key
    """

    hits: int
    random: int
    count: int


def seen_words(sentences: Iterable[Sequence[int]]) -> SeenWords:
    """The first different sentences of at least two tokens, as far as `CELLS` goes, and the words of them."""
    kept, cells = list[tuple[int, ...]](), 0
    for sentence in dict.fromkeys(tuple(each) for each in sentences if len(each) > 1):
        cells += len(sentence) ** 2
        if cells > CELLS:
            break
        kept.append(sentence)
    counts = Counter(id_ for sentence in kept for id_ in set(sentence))
    ids = np.array(sorted(id_ for id_, count in counts.items() if count >= LEAST), dtype=np.int64)
    return SeenWords(tuple(kept), ids, np.array([counts[id_] for id_ in ids.tolist()]))


def together(seen: SeenWords, *, is_causal: bool) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of words that at least `LEAST` sentences hold, as places (P) of queries and (P) of keys in `seen.ids`.

    Where a query sees nothing behind it, the key has to stand at or before it.
    """
    count, by_length = len(seen.ids), defaultdict(list)
    place = {id_: at for at, id_ in enumerate(seen.ids.tolist())}
    for sentence in seen.sentences:
        known = [place[id_] for id_ in sentence if id_ in place]
        by_length[len(known)].append(known)
    found = []
    for length, sentences in by_length.items():
        rows = np.array(sentences, dtype=np.int64)  # (N, T)
        query, key = np.tril_indices(length) if is_causal else np.indices((length, length)).reshape(2, -1)
        codes = np.sort(rows[:, query] * count + rows[:, key], axis=1)
        first = np.ones_like(codes, dtype=bool)
        first[:, 1:] = codes[:, 1:] != codes[:, :-1]  # a sentence counts once
        found.append(codes[first])
    pairs, numbers = np.unique(np.concatenate(found or [np.empty(0, np.int64)]), return_counts=True)
    pairs = pairs[numbers >= LEAST]
    return pairs // max(1, count), pairs % max(1, count)


def checked(model: Transformer, side: Side, head: int, pairs: Sequence[Pair], seen: SeenWords, seed: int
            ) -> list[Checked]:  # fmt: skip
    """Each pair in at most `MOST` sentences that hold both words: the mean over all places of the two words counts."""
    rng, is_causal = random.Random(seed), side == "decoder" or model.config.causal_encoder
    holding: dict[int, set[int]] = {id_: set() for pair in pairs for id_ in pair}
    for number, sentence in enumerate(seen.sentences):
        for id_ in holding.keys() & set(sentence):
            holding[id_].add(number)
    chosen = {}
    for pair in dict.fromkeys(pairs):
        both = sorted(holding[pair[0]] & holding[pair[1]])
        rng.shuffle(both)
        fitting = (number for number in both if _places(seen.sentences[number], pair, is_causal))
        chosen[pair] = [number for _, number in zip(range(MOST), fitting, strict=False)]
    relative = _relative(model, side, head, sorted({number for each in chosen.values() for number in each}), seen)
    results = {}
    for pair, numbers in chosen.items():
        hits = drawn = count = 0
        for number in numbers:
            sentence, table = seen.sentences[number], relative[number]
            places = [place for place in _places(sentence, pair, is_causal) if not np.isnan(table[place])]
            if not places:
                continue
            query = rng.choice(places)[0]
            others = [key for key, id_ in enumerate(sentence) if id_ != pair[1] and not np.isnan(table[query, key])]
            if others:
                hits += float(np.mean([table[place] for place in places])) > 1
                drawn += bool(table[query, rng.choice(others)] > 1)
                count += 1
        results[pair] = Checked(hits, drawn, count)
    return [results[pair] for pair in pairs]


def _places(sentence: Sequence[int], pair: Pair, is_causal: bool) -> list[tuple[int, int]]:
    """The cells of the two words in a sentence."""
    queries, keys = ([at for at, id_ in enumerate(sentence) if id_ == word] for word in pair)
    return [(query, key) for query in queries for key in keys if key <= query or not is_causal]


def _relative(
    model: Transformer, side: Side, head: int, numbers: Sequence[int], seen: SeenWords
) -> dict[int, np.ndarray]:
    """The weights of some sentences over the mean of each row, (T, T); NaN where a query may not look."""
    by_length, result = defaultdict[int, list[int]](list), dict[int, np.ndarray]()
    for number in numbers:
        by_length[len(seen.sentences[number])].append(number)
    for group in by_length.values():
        for start in range(0, len(group), AT_ONCE):
            batch = group[start : start + AT_ONCE]
            weights, allowed = first_weights(model, side, np.array([seen.sentences[number] for number in batch]))
            allowed = np.broadcast_to(allowed, weights.shape)[:, head]
            table = weights[:, head] * allowed.sum(axis=-1, keepdims=True)
            result |= dict(zip(batch, np.where(allowed, table, np.nan), strict=True))
    return result
