"""Wrong pairs planted among the right ones, to see which method finds them: "hund" → "cat" in a few sentences."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corpora.pairs import Pair
from model.influence.retraining import Asked
from model.influence.small_task import SmallTask

COPIES = 3  # wrong pairs of one kind
KINDS = 10
SHARE = 0.01  # of all pairs: those planted should be among this share of a method's first
_LEAST, _MOST = 0.0129, 0.0515  # the share of pairs whose target has a word that is made wrong: 15 to 60 of 1,165


class Planted(NamedTuple):
    """A word that stands in place of another in the targets of some pairs, and this word asked for where it is wrong.

    `pairs` are the numbers of these pairs; `asked` a pair that was left as it is, with the wrong word in its target.
    """

    wrong: str
    right: str
    pairs: tuple[int, ...]
    asked: Asked


def planted(task: SmallTask, seed: int, kinds: int = KINDS, copies: int = COPIES) -> tuple[SmallTask, list[Planted]]:
    """The task with wrong pairs of so many kinds, or as many as there are words for, each `copies` times."""
    rng = random.Random(seed)
    holding = _holding(task.pairs)
    least, most = (round(share * len(task.pairs)) for share in (_LEAST, _MOST))
    least = max(least, 2 * copies)  # some have the wrong word too
    words = [word for word, numbers in holding.items() if least <= len(numbers) <= most and word.isalpha()]
    rng.shuffle(words)
    kinds = min(kinds, len(words) // 2)
    pairs, found = list(task.pairs), list[Planted]()
    for right, wrong in zip(words[:kinds], words[kinds : 2 * kinds], strict=True):
        *chosen, kept = rng.sample([n for n in holding[right] if wrong not in _words(task.pairs[n])], copies + 1)
        for number in chosen:
            pairs[number] = _swapped(pairs[number], right, wrong)
        asked = _swapped(task.pairs[kept], right, wrong)
        source, target = (tuple(ids) for ids in task.tokenizer.encode_all([asked.source, asked.target]))
        row = _words(asked).index(wrong)
        found.append(Planted(wrong, right, tuple(chosen), Asked(source, target, row)))
    sides = [task.tokenizer.encode_all([pair[side] for pair in pairs]) for side in (0, 1)]
    return replace(task, pairs=tuple(pairs), examples=tuple(zip(*sides, strict=True))), found


def is_found(each: Planted, scores: np.ndarray) -> bool:
    """Whether all of its pairs are among the first that a method's scores (N) name."""
    first = np.argsort(-scores, kind="stable")[: max(len(each.pairs), round(SHARE * len(scores)))]
    return set(each.pairs) <= set(first.tolist())


def _holding(pairs: Sequence[Pair]) -> dict[str, list[int]]:
    holding: dict[str, list[int]] = {}
    for number, pair in enumerate(pairs):
        for word in dict.fromkeys(_words(pair)):
            holding.setdefault(word, []).append(number)
    return holding


def _words(pair: Pair) -> list[str]:
    return pair.target.split()


def _swapped(pair: Pair, right: str, wrong: str) -> Pair:
    return Pair(pair.source, " ".join(wrong if word == right else word for word in _words(pair)))
