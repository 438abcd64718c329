"""Corpus as training needs it: pairs to learn from, pairs held out, and where they come from."""

import random
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple, Protocol

from corpora.pairs import Pair, Split, split_of

Groups = Mapping[str, Mapping[str, Set[str]]]  # sources by "pattern" or "topic", then by name
Numbered = dict[str, dict[str, tuple[int, ...]]]  # numbers of pairs in the same way


class Learned(NamedTuple):
    """Training pairs, each once, and the sources of those with something in common; empty if unknown."""

    pairs: list[Pair]
    groups: Groups


class Corpus(Protocol):
    """Pairs by split; no source of one split is in another, unless the corpus says so in its own words."""

    name: str

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch."""

    def validation(self) -> list[Pair]:
        """A few hundred pairs at most, to watch while training."""

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""

    def texts(self) -> Iterable[Pair]:
        """Pairs to learn the vocabulary from."""

    def source_words(self) -> Iterable[str]:
        """Sources whose words count as seen."""

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics, each with examples."""

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with their number and licence."""


class Parted:
    """A corpus of all the cases there are, those of each split the same in every epoch."""

    name = ""
    licence = "ours"

    def part(self, split: Split) -> list[Pair]:
        """The cases of a split."""
        raise NotImplementedError

    def train(self, epoch: int) -> list[Pair]:
        return self.part("train")

    def validation(self) -> list[Pair]:
        return self.part("validation")

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: self.part(split)}

    def source_words(self) -> Iterable[str]:
        return (pair.source for pair in self.part("train"))

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return []

    def groups(self) -> Groups:
        """Sources with something in common, by what that is and by name; empty if unknown."""
        return {}

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": len(self.part("train")), "licence": self.licence}]


class Listed(Parted):
    """A corpus of a fixed list of training pairs and one list held out, which is also what is watched."""

    def __init__(self, training: list[Pair], held_out: list[Pair]):
        self.training = training
        self.held_out = held_out

    def part(self, split: Split) -> list[Pair]:
        return self.training if split == "train" else self.held_out

    def texts(self) -> Iterable[Pair]:
        return self.training


class Drawn:
    """A corpus of cases that `case` draws, others in each epoch; split by the hash of the source."""

    name = ""
    per_epoch, held_out = 4096, 1000

    def __init__(self, seed: int = 0):
        self.seed = seed

    def case(self, rng: random.Random) -> Pair:
        """Any case."""
        raise NotImplementedError

    def train(self, epoch: int) -> list[Pair]:
        return self.drawn("train", self.per_epoch, f"{self.seed}/{epoch}")

    def validation(self) -> list[Pair]:
        return self.drawn("validation", 200, "validation")

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: self.drawn(split, self.held_out, split)}  # the same for every seed

    def source_words(self) -> Iterable[str]:
        return ()

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": self.per_epoch, "licence": "ours"}]

    def drawn(self, split: Split, count: int, seed: str) -> list[Pair]:
        """So many different cases of a split."""
        rng = random.Random(f"{seed}/{self.name}")
        pairs: dict[Pair, None] = {}
        while len(pairs) < count:
            pair = self.case(rng)
            if split_of(pair.source) == split:
                pairs[pair] = None
        return list(pairs)


def numbered(groups: Groups, pairs: Sequence[Pair]) -> Numbered:
    """The numbers of the pairs in each group, without groups that none is in."""
    places: dict[str, list[int]] = {}
    for number, pair in enumerate(pairs):
        places.setdefault(pair.source, []).append(number)
    found = {
        kind: {name: tuple(sorted(number for source in sources for number in places.get(source, ())))
               for name, sources in own.items()}
        for kind, own in groups.items()
    }  # fmt: skip
    return {kind: {name: numbers for name, numbers in own.items() if numbers} for kind, own in found.items()}
