"""Sums modulo 59: `17 + 51 =` → `9`. There are only 3,481, and two fifths of them are trained on.

A model first knows these by heart; with weight decay it finds the rule much later, all at once (Power et al. 2022).
The rule is a rotation: a number is an angle, for a few frequencies, and a sum adds angles (Nanda et al. 2023).
"""

import random
from collections.abc import Iterable
from functools import cached_property

from corpora.corpus import Parted
from corpora.pairs import Pair, Split
from corpora.task_list import Task, words

MODULUS = 59  # a prime, so that every frequency but 0 reaches all numbers
SHARE = 0.45  # of all sums, for training
VALIDATION = 200  # sums
GIVEN = 5  # tokens before the result, `<bos>` among them


def sum_of(a: int, b: int) -> Pair:
    """A sum and its result."""
    return Pair(f"{a} + {b} =", str((a + b) % MODULUS))


class Modular(Parted):
    """All sums; the seed decides which are trained on."""

    name = "modular"

    def __init__(self, seed: int = 0):
        self.seed = seed

    @cached_property
    def _parts(self) -> dict[Split, list[Pair]]:
        sums = self._all()
        random.Random(f"{self.seed}/modular").shuffle(sums)
        count = round(SHARE * len(sums))
        held_out = count + VALIDATION
        return {"train": sums[:count], "validation": sums[count:held_out], "test": sums[held_out:]}

    def part(self, split: Split) -> list[Pair]:
        return self._parts[split]

    def texts(self) -> Iterable[Pair]:
        return self._all()

    def source_words(self) -> Iterable[str]:
        return ()

    def covers(self) -> list[tuple[str, list[Pair]]]:
        topics = {"below_modulus": ((3, 4), (20, 30), (0, 58)), "beyond_modulus": ((30, 30), (58, 58), (17, 51))}
        return [(topic, [sum_of(*pair) for pair in pairs]) for topic, pairs in topics.items()]

    def _all(self) -> list[Pair]:
        return [sum_of(a, b) for a in range(MODULUS) for b in range(MODULUS)]


TASKS = (
    Task(
        name="modular",
        place=80,
        corpus=lambda run: Modular(run.seed),
        tokenizer=words,
        # as in work on what such a model finds: without a norm, with weight decay, and long after all is known by heart
        settings={"architecture": "decoder", "d_model": 64, "heads": 4, "d_ff": 256, "encoder_layers": 0,
                  "decoder_layers": 1, "norm": "none", "position": "learned", "scale_embedding": False,
                  "learning_rate": 3e-3, "warmup": 10, "schedule": "constant", "steps": 4000,
                  "tokens_per_batch": 1800, "weight_decay": 0.6, "average": 0.9},
        does="Adds two numbers modulo 59, as a clock of 59 hours would: 30 + 30 = 1.",
        beyond="Only two numbers from 0 to 58, with a plus between them and an equals sign behind, all apart.",
        alone=True,
        finite=True,
        given=GIVEN,
        shows="grokking",
        inputs=r"[0-9]+ \+ [0-9]+ =",
        answer=lambda source: sum_of(*map(int, source.split()[::2])).target,
    ),
)  # fmt: skip
