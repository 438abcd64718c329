"""Sequences to copy, reverse or sort, and sums: tasks whose right answer is a rule, so that any input can be judged.

Split by the hash of the source; a sum and the same sum the other way round are in one split.
"""

import random
from collections.abc import Callable, Iterable
from string import ascii_lowercase
from typing import Literal, get_args

from model.corpora.pairs import Pair, Split, split_of

Rule = Literal["reverse", "copy", "sort", "addition"]
RULES = get_args(Rule)
LONGEST = 20  # characters of a source
DIGITS = 3  # of a summand at most, by default
HELD_OUT = 500
PER_EPOCH = 8192

_ANSWERS: dict[str, Callable[[str], str]] = {
    "reverse": lambda text: text[::-1],
    "copy": lambda text: text,
    "sort": lambda text: "".join(sorted(text)),
    "addition": lambda text: str(sum(map(int, text.split("+")))),
}


def answer(rule: Rule, source: str) -> str:
    """What the rule makes of a source."""
    return _ANSWERS[rule](source)


class Sequences:
    """Letters in any order, 1 to `longest` of them, or two numbers of 1 to `digits` figures; others in each epoch."""

    def __init__(
        self, rule: Rule, seed: int = 0, *, longest: int = LONGEST, digits: int = DIGITS, per_epoch: int = PER_EPOCH
    ):
        self.name: str = rule
        self.rule = rule
        self.seed = seed
        self.longest = longest
        self.digits = digits
        self.per_epoch = per_epoch

    def train(self, epoch: int) -> list[Pair]:
        return self._pairs("train", self.per_epoch, random.Random(f"{self.seed}/{epoch}/{self.rule}"))

    def validation(self) -> list[Pair]:
        return self._pairs("validation", 200, random.Random(f"validation/{self.rule}"))

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        pairs = self._pairs(split, HELD_OUT, random.Random(f"{split}/{self.rule}"))  # the same for every seed
        return {self.name: list(dict.fromkeys(pairs))}

    def texts(self) -> Iterable[Pair]:
        """Every character there is."""
        return [Pair("0123456789+" if self.rule == "addition" else ascii_lowercase, "")]

    def source_words(self) -> Iterable[str]:
        return ()

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return []

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": self.per_epoch, "licence": "ours"}]

    def _pairs(self, split: Split, count: int, rng: random.Random) -> list[Pair]:
        found: list[Pair] = []
        while len(found) < count:
            source = self._source(rng)
            if split_of(_key(source)) == split:
                found.append(Pair(source, answer(self.rule, source)))
        return found

    def _source(self, rng: random.Random) -> str:
        if self.rule == "addition":
            return "+".join(str(rng.randrange(10 ** rng.randint(1, self.digits))) for _ in range(2))
        return "".join(rng.choices(ascii_lowercase, k=rng.randint(1, self.longest)))


def _key(source: str) -> str:
    return "+".join(sorted(source.split("+")))
