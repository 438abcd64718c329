"""Chinese sentences up to HSK 2 with their English: a grammar that writes pairs without end.

Lexicon (text files) -> words -> clauses -> topics; one Chinese sentence has exactly one translation.
"""

from functools import lru_cache

from corpora import alignment
from corpora.alignment import Aligned
from corpora.chinese import slots
from corpora.chinese.topic_table import TOPICS
from corpora.chinese.topics.fixed import BY_HEART
from corpora.pairs import Pair
from corpora.topic_sampling import Topic
from corpora.topic_sampling import generate as drawn

__all__ = ["BY_HEART", "TOPICS", "Topic", "aligned", "characters", "generate"]


def generate(seed: int, count: int) -> list[Pair]:
    """`count` pairs with different sources, the same for the same seed; ValueError if there are not so many."""
    return drawn(TOPICS, seed, count)


def aligned(seed: int, count: int) -> list[Aligned]:
    """`count` held-out pairs with their word alignment; no entries of the word list, no sentences learned by heart."""
    topics = [topic for topic in TOPICS if topic.key not in ("everyday_sentences", "word_list")]
    return alignment.aligned(topics, slots.slots, seed, count, slots.FUNCTION_WORDS, spaced=False)


@lru_cache(maxsize=1)
def characters() -> frozenset[str]:
    """The Chinese characters of a large sample."""
    return frozenset(c for pair in generate(0, 40_000) for c in pair.source if "一" <= c <= "鿿")
