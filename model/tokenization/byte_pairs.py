"""Byte-pair encoding learnt from a short text, with every state on the way (Gage 1994; Sennrich et al. 2016)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise

import tokenizers
from tokenizers import Regex, models, pre_tokenizers, trainers

from model.tokenization.normalizer import CHINESE_MARKS, HAN, normalizer
from model.tokenization.tokenizer import SPACE

TEXT_LIMIT = 400  # characters of a text to learn from
MOST_MERGES = 150
FEWEST = 2  # times that a pair must occur: what occurs once teaches nothing
Pieces = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Learnt:
    """Merges that a text taught.

    words     the parts of the text that no merge crosses, in its order; `▁` stands for the space before a word
    alphabet  the first vocabulary: the characters of the text by their codes, which is also the order of their ids
    merges    the pairs in the order in which they were merged
    """

    words: Pieces
    alphabet: Pieces
    merges: tuple[Pair, ...]

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The text before the first merge, and after each one."""
        vocabularies = accumulate(self.merges, _with, initial={piece: id_ for id_, piece in enumerate(self.alphabet)})
        cuts = accumulate(self.merges, _after, initial=tuple(map(tuple, self.words)))
        return tuple(State(cut, len(ids), _counted(cut, ids)) for cut, ids in zip(cuts, vocabularies, strict=True))


@dataclass(frozen=True)
class State:
    """The text after some merges: the pieces of each word, and how often each pair of neighbours occurs.

    vocabulary  number of different pieces so far
    pairs       the most frequent one first, the next to be merged. Of equally frequent ones it is the one whose first
                piece has the smallest id, then whose second has, as in the trainer of `tokenizers`
    """

    words: tuple[Pieces, ...]
    vocabulary: int
    pairs: tuple[tuple[Pair, int], ...]

    @property
    def length(self) -> int:
        """How many tokens the text has."""
        return sum(map(len, self.words))

    @property
    def ties(self) -> int:
        """How many other pairs are as frequent as the first."""
        return sum(count == self.pairs[0][1] for _, count in self.pairs) - 1 if self.pairs else 0


def learn(text: str) -> Learnt:
    """At most `MOST_MERGES` merges of pairs that occur at least `FEWEST` times, learnt by `tokenizers`."""
    inner = tokenizers.Tokenizer(models.BPE())
    words = _words(text)
    inner.pre_tokenizer = pre_tokenizers.Split("\n", "removed")
    alphabet = sorted(set(chain.from_iterable(words)))
    size = len(alphabet) + MOST_MERGES
    inner.train_from_iterator(
        ["\n".join(words)], trainers.BpeTrainer(vocab_size=size, min_frequency=FEWEST, show_progress=False)
    )
    merges = json.loads(inner.to_str())["model"]["merges"]
    return Learnt(words, tuple(alphabet), tuple((left, right) for left, right in merges))


def merged(pieces: Sequence[str], pair: Pair) -> Pieces:
    """The pieces of a word with each occurrence of the pair as one, from left to right."""
    result: list[str] = []
    unread = list(pieces)
    while unread:
        width = 2 if tuple(unread[:2]) == pair else 1
        result.append("".join(unread[:width]))
        del unread[:width]
    return tuple(result)


def _words(text: str) -> Pieces:
    """A text cut at spaces and punctuation, with the spelling of our own models."""
    cut = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(SPACE, prepend_scheme="always"),
            pre_tokenizers.Split(Regex(rf"""{SPACE}(?=["'(]*[{HAN}{CHINESE_MARKS}])"""), "removed"),
            pre_tokenizers.Punctuation("isolated"),
        ]
    )
    spelled = normalizer().normalize_str(text)
    return tuple(word for word, _ in cut.pre_tokenize_str(spelled)) if spelled else ()


def _with(ids: dict[str, int], pair: Pair) -> dict[str, int]:
    """The vocabulary with the piece that a merge makes."""
    return {"".join(pair): len(ids), **ids}


def _after(words: tuple[Pieces, ...], pair: Pair) -> tuple[Pieces, ...]:
    return tuple(merged(pieces, pair) for pieces in words)


def _counted(words: tuple[Pieces, ...], ids: dict[str, int]) -> tuple[tuple[Pair, int], ...]:
    counts = Counter(chain.from_iterable(map(pairwise, words)))
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], *(ids[piece] for piece in item[0]))))
