"""Digits, and the largest of them minus the smallest: two digits have to be found at one step of a decoder alone.

Softmax gives each digit a weight by one score. To find the largest and the smallest of 4, 5, 6, the score of 5 must lie
far below that of 6; of 5, 6, 7 it must lie far above. So one head cannot point at both, and two heads can.
"""

import random
from collections.abc import Iterable
from string import digits

from corpora.pairs import Pair, Split, split_of
from corpora.task_list import Task

END = "="  # what is asked stands before it
LONGEST = 10  # digits
HELD_OUT = 1000
PER_EPOCH = 4096
NARROW = 0.5  # share of sources whose digits lie between two chosen ones: else nearly every spread is 8 or 9


def answer(source: str) -> str:
    """`4817=` to `7`."""
    values = [int(digit) for digit in source.removesuffix(END)]
    return str(max(values) - min(values))


class Spread:
    """2 to `LONGEST` digits, others in each epoch; split by the hash of the source."""

    name = "spread"

    def __init__(self, seed: int = 0):
        self.seed = seed

    def train(self, epoch: int) -> list[Pair]:
        return self._pairs("train", PER_EPOCH, random.Random(f"{self.seed}/{epoch}/spread"))

    def validation(self) -> list[Pair]:
        return self._pairs("validation", 200, random.Random("validation/spread"))

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: self._pairs(split, HELD_OUT, random.Random(f"{split}/spread"))}

    def texts(self) -> Iterable[Pair]:
        return [Pair(digits + END, "")]

    def source_words(self) -> Iterable[str]:
        return ()

    def covers(self) -> list[tuple[str, list[Pair]]]:
        topics = {
            "few_digits": ("73=", "555=", "4152="),
            "many_digits": ("738465=", "2938475610=", "4545454545="),
        }
        return [(topic, [Pair(text, answer(text)) for text in texts]) for topic, texts in topics.items()]

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": PER_EPOCH, "licence": "ours"}]

    def _pairs(self, split: Split, count: int, rng: random.Random) -> list[Pair]:
        pairs: dict[Pair, None] = {}
        while len(pairs) < count:
            source = _source(rng)
            if split_of(source) == split:
                pairs[Pair(source, answer(source))] = None
        return list(pairs)


def _source(rng: random.Random) -> str:
    low, high = 0, 9
    if rng.random() < NARROW:
        low = rng.randint(0, 9)
        high = rng.randint(low, 9)
    return "".join(str(rng.randint(low, high)) for _ in range(rng.randint(2, LONGEST))) + END


TASKS = (
    Task(
        name="spread",
        place=60,
        corpus=lambda run: Spread(run.seed),
        settings={"architecture": "decoder", "d_model": 16, "heads": 2, "d_ff": 32, "encoder_layers": 0,
                  "decoder_layers": 1, "steps": 2000, "tokens_per_batch": 1200},
        does="Subtracts the smallest of some digits from the largest.",
        beyond="Only digits, 2 to 10 of them, and an equals sign.",
        alone=True,
        inputs=f"[0-9]+{END}",
        answer=answer,
    ),
)  # fmt: skip
