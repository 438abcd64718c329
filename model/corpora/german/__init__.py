"""German sentences of a beginner's course with their English: a grammar that writes pairs without end.

Lexicon (text files) -> inflection -> clauses -> topics; one German sentence has exactly one translation.
"""

import random
import re
from functools import lru_cache

from model.corpora.german.table import TOPICS, Topic
from model.corpora.german.topics.fixed import BY_HEART
from model.corpora.pairs import Pair

__all__ = ["BY_HEART", "TOPICS", "WORD", "Topic", "generate", "word_forms"]
WORD = re.compile(r"[A-Za-zÄÖÜäöüßé]+(?:-[A-Za-zÄÖÜäöüß]+)*")
PATIENCE = 2_000  # draws in a row that bring nothing new before a topic counts as used up


def generate(seed: int, count: int) -> list[Pair]:
    """`count` pairs with different sources, the same for the same seed; ValueError if there are not so many."""
    rng = random.Random(seed)
    topics, weights = list(TOPICS), [topic.weight for topic in TOPICS]
    misses = [0] * len(topics)
    found: dict[str, Pair] = {}
    while len(found) < count:
        if not any(weights):
            raise ValueError(f"the grammar gave only {len(found)} different pairs")
        index = rng.choices(range(len(topics)), weights)[0]
        pair = topics[index].generator(rng)
        if pair.source in found:
            misses[index] += 1
            if misses[index] >= PATIENCE:
                weights[index] = 0
            continue
        misses[index] = 0
        found[pair.source] = pair
    return list(found.values())


@lru_cache(maxsize=1)
def word_forms() -> frozenset[str]:
    """The German word forms of a large sample; case counts, so Sie and sie are two."""
    return frozenset(word for pair in generate(0, 40_000) for word in WORD.findall(pair.source))
