"""Which words look for which words in a head of the first layer: the strongest pairs, each checked in sentences.

W words that were seen often enough, P pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model.analysis.residual_stream import Side
from model.attribution.score_terms.pairs_in_sentences import SeenWords, checked, seen_words
from model.attribution.score_terms.word_scores import WordScores
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.features.sentences import at_hand
from model.intervals import Estimate, wilson

SEED = 0
SENTENCES = 10_000  # training sentences at most
MOST = 20  # pairs
AROUND = 10  # pairs of each side of a word
Among = tuple[np.ndarray, np.ndarray]  # pairs, as places of queries and of keys


class WordPair(NamedTuple):
    """A query and a key, as ids and as shown, their centred score, and the check in so many sentences.

    hits, random  sentences in which the key, or another word at random, gets more than the mean weight of the row
    """

    ids: tuple[int, int]
    query: str
    key: str
    score: float
    hits: int
    random: int
    sentences: int

    @property
    def share(self) -> Estimate | None:
        """Of the sentences in which the head looks at the key; None where no sentence holds both words."""
        return wilson(self.hits, self.sentences) if self.sentences else None

    @property
    def random_share(self) -> Estimate | None:
        """The same of another word of the same sentences."""
        return wilson(self.random, self.sentences) if self.sentences else None


def seen(entry: Entry, checkpoint: Checkpoint, side: Side) -> SeenWords:
    """The words that training showed often enough, in the sentences as the side reads them.

    Raises `InvalidInput` where the training sentences cannot be made again.
    """
    examples = at_hand(entry, checkpoint, SENTENCES, SEED)
    return seen_words(source if side == "encoder" else target[:-1] for source, target in examples)


def strongest(
    checkpoint: Checkpoint,
    side: Side,
    head: int,
    scores: WordScores,
    words: SeenWords,
    among: Among | None = None,
    most: int = MOST,
) -> list[WordPair]:
    """The pairs with the largest scores, of those of `among` if given, else of all: places of queries and of keys."""
    queries, keys = scores.strongest(most) if among is None else among
    order = (-scores.of(queries, keys)).argsort(kind="stable")[:most]
    return _pairs(checkpoint, side, head, scores, words, queries[order], keys[order])


def around(
    checkpoint: Checkpoint,
    side: Side,
    head: int,
    scores: WordScores,
    words: SeenWords,
    word: int,
    among: Among | None = None,
    most: int = AROUND,
) -> tuple[list[WordPair], list[WordPair]]:
    """What a word, as a place among the words, looks for, and which words look for it; `among` as in `strongest`."""
    sought = seekers = np.arange(len(words.ids))
    if among is not None:
        queries, keys = among
        sought, seekers = keys[queries == word], queries[keys == word]
    sought = sought[(-scores.with_query(word)[sought]).argsort(kind="stable")[:most]]
    seekers = seekers[(-scores.with_key(word)[seekers]).argsort(kind="stable")[:most]]
    looks = _pairs(checkpoint, side, head, scores, words, np.full(len(sought), word), sought)
    is_sought = _pairs(checkpoint, side, head, scores, words, seekers, np.full(len(seekers), word))
    return looks, is_sought


def _pairs(
    checkpoint: Checkpoint,
    side: Side,
    head: int,
    scores: WordScores,
    words: SeenWords,
    queries: np.ndarray,
    keys: np.ndarray,
) -> list[WordPair]:

    ids = list(zip(words.ids[queries].tolist(), words.ids[keys].tolist(), strict=True))
    checks = checked(checkpoint.model, side, head, ids, words, SEED)
    values = scores.of(queries, keys).tolist()
    result = []
    for pair, value, each in zip(ids, values, checks, strict=True):
        query, key = checkpoint.tokenizer.tokens(pair)
        result.append(WordPair(pair, query, key, value, each.hits, each.random, each.count))
    return result


def named(checkpoint: Checkpoint, words: SeenWords, text: str) -> int | None:
    """The place of the word that is shown as `text`, else of one that differs in case only; None if there is none."""
    shown = [checkpoint.tokenizer.tokens([id_])[0] for id_ in words.ids.tolist()]
    for same in (lambda name: name == text, lambda name: name.casefold() == text.casefold()):
        places = [at for at, name in enumerate(shown) if same(name)]
        if places:
            return max(places, key=lambda at: int(words.counts[at]))
    return None


def summed(pairs: Sequence[WordPair]) -> tuple[Estimate, Estimate] | None:
    """Over all sentences of all pairs: the share of the pairs, and of other words; None without any sentence."""
    count = sum(pair.sentences for pair in pairs)
    return (wilson(sum(p.hits for p in pairs), count), wilson(sum(p.random for p in pairs), count)) if count else None
