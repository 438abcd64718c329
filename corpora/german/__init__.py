"""German sentences of a beginner's course with their English: a grammar that writes pairs without end.

Lexicon (text files) -> inflection -> clauses -> topics; one German sentence has exactly one translation.
"""

import re
from functools import lru_cache

from corpora import alignment
from corpora.alignment import Aligned
from corpora.german import slots
from corpora.german.topic_table import TOPICS
from corpora.german.topics.fixed import BY_HEART
from corpora.pairs import Pair
from corpora.topic_sampling import Topic
from corpora.topic_sampling import generate as drawn

__all__ = ["BY_HEART", "TOPICS", "WORD", "Topic", "aligned", "generate", "word_forms"]
WORD = re.compile(r"[A-Za-zÄÖÜäöüßé]+(?:-[A-Za-zÄÖÜäöüß]+)*")


def generate(seed: int, count: int) -> list[Pair]:
    """`count` pairs with different sources, the same for the same seed; ValueError if there are not so many."""
    return drawn(TOPICS, seed, count)


def aligned(seed: int, count: int) -> list[Aligned]:
    """`count` held-out pairs with their word alignment; no entries of the word list, no sentences learned by heart."""
    topics = [topic for topic in TOPICS if topic.key not in ("everyday_sentences", "word_list")]
    return alignment.aligned(topics, slots.slots, seed, count, slots.FUNCTION_WORDS)


@lru_cache(maxsize=1)
def word_forms() -> frozenset[str]:
    """The German word forms of a large sample; case counts, so Sie and sie are two."""
    return frozenset(word for pair in generate(0, 40_000) for word in WORD.findall(pair.source))
