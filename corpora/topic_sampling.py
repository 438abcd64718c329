"""Topics of a grammar, kinds of sentences with their share, and how a corpus is drawn from them."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpora.pairs import Pair

PATIENCE = 2_000  # draws in a row that bring nothing new before a topic counts as used up


@dataclass(frozen=True)
class Topic:
    """One kind of sentence: `generator` draws a pair, `weight` is its share of the draws."""

    key: str
    weight: float
    generator: Callable[[random.Random], Pair]


def drawn(topics: Sequence[Topic], seed: int) -> Iterator[Pair]:
    """Pairs with different sources, the same for the same seed; ValueError where there are no more."""
    rng = random.Random(seed)
    weights = [topic.weight for topic in topics]
    misses = [0] * len(topics)
    sources: set[str] = set()
    while True:
        if not any(weights):
            raise ValueError(f"the grammar gave only {len(sources)} different pairs")
        index = rng.choices(range(len(topics)), weights)[0]
        pair = topics[index].generator(rng)
        if pair.source in sources:
            misses[index] += 1
            if misses[index] >= PATIENCE:
                weights[index] = 0
            continue
        misses[index] = 0
        sources.add(pair.source)
        yield pair
